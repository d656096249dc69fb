package io.counterkit.cli.console;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the arguments of this process as UTF-8 in every locale. Java decodes them by the locale; in C and POSIX it
 * replaces each byte that is not ASCII by a question mark, so that two names could become one. The bytes are therefore
 * read from the system.
 */
public final class ProcessArguments {
    /** On Linux, the words of the command line, each with a NUL at its end. */
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private static final int UNREADABLE = '\ufffd';

    private ProcessArguments() {}

    /**
     * Returns the arguments that Java has decoded as {@code decoded}.
     *
     * @throws IllegalArgumentException if one is not UTF-8, or may differ from what was typed
     */
    public static String[] asTyped(String... decoded) {
        return Arrays.stream(decoded).allMatch(ProcessArguments::isSafe)
                ? decoded
                : asTyped(decoded, commandLine(), System.getProperty("sun.jnu.encoding", ""));
    }

    /**
     * @param commandLine the bytes of the command line, which ends with the arguments; null if unavailable
     * @param encoding the encoding in which Java has decoded the arguments
     */
    static String[] asTyped(String[] decoded, byte @Nullable [] commandLine, String encoding) {
        List<byte[]> words = commandLine == null ? List.of() : words(commandLine);
        int before = words.size() - decoded.length;
        boolean isKnown = before > 0;
        for (int i = 0; isKnown && i < decoded.length; i++) {
            // Otherwise they come from a file that the command line names: java @FILE.
            isKnown = ascii(words.get(before + i)).equals(ascii(decoded[i].getBytes(StandardCharsets.UTF_8)));
        }
        String[] typed = new String[decoded.length];
        for (int i = 0; i < decoded.length; i++) {
            typed[i] = isKnown ? utf8(words.get(before + i), i) : intact(decoded[i], i, encoding, commandLine != null);
        }
        return typed;
    }

    private static byte @Nullable [] commandLine() {
        try {
            return Files.readAllBytes(COMMAND_LINE);
        } catch (IOException e) {
            return null; // not Linux
        }
    }

    private static List<byte[]> words(byte[] commandLine) {
        List<byte[]> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(Arrays.copyOfRange(commandLine, from, i));
                from = i + 1;
            }
        }
        return words;
    }

    /** Keeps the bytes that every encoding decodes alike. */
    private static String ascii(byte[] bytes) {
        StringBuilder ascii = new StringBuilder();
        for (byte b : bytes) {
            if (b > 0 && b != '?') {
                ascii.append((char) b);
            }
        }
        return ascii.toString();
    }

    private static String utf8(byte[] bytes, int index) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "argument " + (index + 1) + " '" + Excerpt.of(new String(bytes, StandardCharsets.UTF_8))
                            + "' is not UTF-8",
                    e);
        }
    }

    /**
     * Returns {@code decoded} if it can neither have lost characters nor have become another argument.
     *
     * @param isOfBytes whether Java has decoded bytes, as on Linux, where other encodings give other letters than UTF-8
     */
    private static String intact(String decoded, int index, String encoding, boolean isOfBytes) {
        boolean isWhole = isUtf8(encoding)
                ? decoded.indexOf(UNREADABLE) < 0
                : isSafe(decoded) || (!isOfBytes && decoded.indexOf(UNREADABLE) < 0 && decoded.indexOf('?') < 0);
        if (!isWhole) {
            throw new IllegalArgumentException("argument " + (index + 1) + " '" + Excerpt.of(decoded)
                    + "' may have lost characters: this process received its arguments in " + encoding
                    + "; run it in a locale with UTF-8");
        }
        return decoded;
    }

    private static boolean isSafe(String decoded) {
        return decoded.chars().allMatch(c -> c < 0x80 && c != '?');
    }

    static boolean isUtf8(String encoding) {
        return encoding.equalsIgnoreCase("UTF-8");
    }
}
