package io.counterkit.cli.console;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

    /** Returns whether one character is omitted, inserted, replaced or elsewhere, but not the first one. */
    private static boolean hasOneMistake(String typed, String word) {
        return !Collections.disjoint(withoutOneCharacter(typed), withoutOneCharacter(word));
    }

    /** Returns the word, and the word without each one of its characters after the first. */
    private static Set<String> withoutOneCharacter(String word) {
        return IntStream.rangeClosed(1, word.length())
                .mapToObj(i -> word.substring(0, i) + word.substring(Math.min(i + 1, word.length())))
                .collect(Collectors.toSet());
    }
}
