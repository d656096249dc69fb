package io.counterkit.cli.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
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
        // One character for each byte; the last word ends with a NUL too.
        String[] words = commandLine == null ? new String[0] : new String(commandLine, ISO_8859_1).split("\0", -1);
        int before = words.length - 1 - decoded.length;
        // Otherwise they come from a file that the command line names: java @FILE.
        boolean isKnown = before > 0
                && IntStream.range(0, decoded.length)
                        .allMatch(i -> ascii(words[before + i]).equals(ascii(decoded[i])));
        String[] typed = new String[decoded.length];
        for (int i = 0; i < decoded.length; i++) {
            typed[i] = isKnown ? utf8(words[before + i], i) : intact(decoded[i], i, encoding, commandLine != null);
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

    /** Keeps the characters that every encoding decodes alike. */
    private static String ascii(String word) {
        return word.replaceAll("[^\\x01-\\x7f]|\\?", "");
    }

    private static String utf8(String bytes, int index) {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes(ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "argument " + (index + 1) + " '" + Excerpt.of(new String(bytes.getBytes(ISO_8859_1), UTF_8))
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
