package io.counterkit.cli.console;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Finds the command, the backend or the option that a mistyped word stands for. */
public final class Suggestion {
    /** Words that other programs use for a command of this one. */
    private static final Map<String, String> SYNONYMS =
            Map.of("inc", "add", "incr", "add", "increment", "add", "show", "get", "ls", "list");

    /**
     * Commands whose effect cannot be undone. They are not suggested, since a user may follow a suggestion
     * unthinkingly.
     */
    private static final Set<String> DESTRUCTIVE = Set.of("reset", "delete", "erase", "adopt", "seal", "migrate");

    private Suggestion() {}

    /**
     * Returns the end of a message that suggests a known word, which has this meaning or differs from {@code typed} by
     * one mistake; empty if there is none.
     */
    public static String of(String typed, Collection<String> known) {
        String synonym = SYNONYMS.getOrDefault(typed, "");
        return known.stream()
                .filter(word -> word.equals(synonym) || hasOneMistake(typed, word))
                .findFirst()
                .filter(word -> !DESTRUCTIVE.contains(word))
                .map(word -> "; did you mean " + word + "?")
                .orElse("");
    }

    /** Returns whether one letter is omitted, inserted or replaced, or two are swapped, but not the first one. */
    private static boolean hasOneMistake(String typed, String word) {
        int shorter = Math.min(typed.length(), word.length());
        int start = 0;
        while (start < shorter && typed.charAt(start) == word.charAt(start)) {
            start++;
        }
        int end = 0;
        while (end < shorter - start
                && typed.charAt(typed.length() - 1 - end) == word.charAt(word.length() - 1 - end)) {
            end++;
        }
        String wrong = typed.substring(start, typed.length() - end);
        String right = word.substring(start, word.length() - end);
        boolean isSwapped = wrong.length() == 2 && right.contentEquals(new StringBuilder(wrong).reverse());
        return start > (typed.startsWith("--") ? 2 : 0) && (isSwapped || Math.max(wrong.length(), right.length()) == 1);
    }
}
