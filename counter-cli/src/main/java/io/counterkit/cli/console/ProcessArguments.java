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
 * The arguments of this process as they were typed, as UTF-8 in every locale. Java decodes them by the locale, and in C
 * and POSIX it puts a question mark in the place of each byte that is not ASCII: two names would become one. So they are
 * read where the system keeps their bytes.
 */
public final class ProcessArguments {
    /** On Linux: the words of the command line, each ended by a NUL. */
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private static final int UNREADABLE = '\ufffd';

    private ProcessArguments() {}

    /**
     * The arguments that Java has decoded as {@code decoded}.
     *
     * @throws IllegalArgumentException if one is not UTF-8, or may not be what was typed; the message is for the user
     */
    public static String[] asTyped(String... decoded) {
        return Arrays.stream(decoded).allMatch(ProcessArguments::isSafe)
                ? decoded
                : asTyped(decoded, commandLine(), System.getProperty("sun.jnu.encoding", ""));
    }

    /**
     * @param commandLine the bytes of the command line, which ends with the arguments; null if the system does not tell
     * @param encoding the one in which Java has decoded the arguments
     */
    static String[] asTyped(String[] decoded, byte @Nullable [] commandLine, String encoding) {
        List<byte[]> words = commandLine == null ? List.of() : words(commandLine);
        int before = words.size() - decoded.length;
        boolean isKnown = before > 0;
        for (int i = 0; isKnown && i < decoded.length; i++) {
            // Otherwise they are from a file that the command line names: java @FILE.
            isKnown = ascii(words.get(before + i)).equals(ascii(decoded[i].getBytes(StandardCharsets.UTF_8)));
        }
        String[] typed = new String[decoded.length];
        for (int i = 0; i < decoded.length; i++) {
            typed[i] =
                    isKnown ? utf8(words.get(before + i), i) : unharmed(decoded[i], i, encoding, commandLine != null);
        }
        return typed;
    }

    private static byte @Nullable [] commandLine() {
        try {
            return Files.readAllBytes(COMMAND_LINE);
        } catch (IOException e) {
            return null; // no Linux
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

    /** What every encoding leaves as it is. */
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
                    "argument " + (index + 1) + " '" + Excerpt.of(bytes, 0, bytes.length) + "' is not UTF-8", e);
        }
    }

    /**
     * Where only the decoded ones are known: an argument that cannot have lost anything, nor become another one.
     *
     * @param isOfBytes whether Java decodes bytes, as on Linux: another encoding makes other letters of those of UTF-8
     */
    private static String unharmed(String decoded, int index, String encoding, boolean isOfBytes) {
        boolean isWhole = isUtf8(encoding)
                ? decoded.indexOf(UNREADABLE) < 0
                : isSafe(decoded) || (!isOfBytes && decoded.indexOf(UNREADABLE) < 0 && decoded.indexOf('?') < 0);
        if (!isWhole) {
            byte[] bytes = decoded.getBytes(StandardCharsets.UTF_8);
            throw new IllegalArgumentException("argument " + (index + 1) + " '" + Excerpt.of(bytes, 0, bytes.length)
                    + "' may have lost characters: this process was handed its arguments in " + encoding
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
