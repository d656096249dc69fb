package io.counterkit.cli.console;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Quotes words for a shell. */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./~-]+");

    private ShellWords() {}

    /** Joins {@code words} to a command, and quotes those that a shell would change. */
    public static String join(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        boolean isPlain = PLAIN.matcher(word).matches() && !word.startsWith("~");
        return isPlain ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
