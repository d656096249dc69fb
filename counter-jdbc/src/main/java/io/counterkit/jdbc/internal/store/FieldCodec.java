package io.counterkit.jdbc.internal.store;

import io.counterkit.CorruptDataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts the fields of an entry to bytes and back, with their types: a version, the number of fields, and for each
 * field its name, a letter for its type, and its value. A text column cannot hold every text: PostgreSQL refuses
 * U+0000.
 */
final class FieldCodec {
    private static final int VERSION = 1;

    private FieldCodec() {}

    static byte[] encode(Map<String, Object> fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeByte(fields.size());
            for (Map.Entry<String, Object> field : fields.entrySet()) {
                writeBytes(out, field.getKey().getBytes(StandardCharsets.UTF_8));
                writeValue(out, field.getValue());
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    private static void writeValue(DataOutputStream out, Object value) throws IOException {
        if (value instanceof String text) {
            out.writeByte('s');
            writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof byte[] array) {
            out.writeByte('b');
            writeBytes(out, array);
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? 't' : 'f');
        } else if (value instanceof Double number) {
            out.writeByte('d');
            out.writeLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof Instant instant) {
            out.writeByte('i');
            out.writeLong(instant.toEpochMilli());
        } else {
            out.writeByte('l');
            out.writeLong((Long) value);
        }
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Returns the fields of the entry that {@code where} names.
     *
     * @throws CorruptDataException if the bytes were not written by this class
     */
    static Map<String, Object> decode(String where, byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IOException("they have the version " + version);
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int left = in.readUnsignedByte(); left > 0; left--) {
                String name = text(in);
                fields.put(name, readValue(in));
            }
            if (in.available() > 0) {
                throw new IOException(in.available() + " bytes follow the last one");
            }
            return fields;
        } catch (IOException e) {
            String reason = e.getMessage() == null ? "they end too early" : e.getMessage();
            throw new CorruptDataException("the fields of " + where + " cannot be read: " + reason, e);
        }
    }

    private static Object readValue(DataInputStream in) throws IOException {
        char type = (char) in.readByte();
        return switch (type) {
            case 's' -> text(in);
            case 'b' -> readBytes(in);
            case 't' -> true;
            case 'f' -> false;
            case 'd' -> Double.longBitsToDouble(in.readLong());
            case 'i' -> Instant.ofEpochMilli(in.readLong());
            case 'l' -> in.readLong();
            default -> throw new IOException("one has the unknown type '" + type + "'");
        };
    }

    /** Reads a text. Fails if the bytes are not UTF-8, which a replacement character would hide. */
    private static String text(DataInputStream in) throws IOException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(readBytes(in)))
                .toString();
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("one has a length of " + length + " bytes");
        }
        return in.readNBytes(length);
    }
}
