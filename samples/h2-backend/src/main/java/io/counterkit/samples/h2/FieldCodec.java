package io.counterkit.samples.h2;

import io.counterkit.CorruptDataException;
import io.counterkit.spi.Reasons;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts the fields of an entry to bytes and back, with their types. */
final class FieldCodec {
    private FieldCodec() {}

    static byte[] encode(Map<String, Object> fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(fields.size());
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

    static Map<String, Object> decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                String name = new String(readBytes(in), StandardCharsets.UTF_8);
                fields.put(name, readValue(in));
            }
            return fields;
        } catch (IOException e) {
            throw new CorruptDataException("an entry holds fields that were not written here: " + Reasons.of(e), e);
        }
    }

    private static Object readValue(DataInputStream in) throws IOException {
        char type = (char) in.readByte();
        return switch (type) {
            case 's' -> new String(readBytes(in), StandardCharsets.UTF_8);
            case 'b' -> readBytes(in);
            case 't' -> true;
            case 'f' -> false;
            case 'd' -> Double.longBitsToDouble(in.readLong());
            case 'i' -> Instant.ofEpochMilli(in.readLong());
            case 'l' -> in.readLong();
            default -> throw new IOException("type " + type);
        };
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a length of " + length + " bytes");
        }
        return in.readNBytes(length);
    }
}
