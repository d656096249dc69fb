package io.counterkit.cli.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the command or the option that a mistyped word stands for. */
final class Suggestion {
    /** Words that other programs use for a command of this one. */
    private static final Map<String, String> SYNONYMS =
            Map.of("inc", "add", "incr", "add", "increment", "add", "show", "get", "ls", "list");

    private Suggestion() {}

    /**
     * Returns the known word that is most like the typed one: it has the same first letter, and differs by at most one
     * mistake in three letters. Returns null if there is none.
     */
    static @Nullable String of(String typed, Collection<String> known) {
        String synonym = SYNONYMS.get(typed);
        return synonym != null && known.contains(synonym)
                ? synonym
                : known.stream()
                        .filter(word -> start(word).equals(start(typed)))
                        .filter(word -> 3 * Math.abs(typed.length() - word.length()) <= typed.length())
                        .filter(word -> 3 * mistakes(typed, word) <= typed.length())
                        .min(Comparator.comparingInt(word -> mistakes(typed, word)))
                        .orElse(null);
    }

    /** Returns the hyphens and the first letter. */
    private static String start(String word) {
        return word.replaceFirst("(\\w).*", "$1");
    }

    /** Returns the number of letters that were omitted, inserted, replaced, or swapped with the next one. */
    private static int mistakes(String typed, String word) {
        int[][] counts = new int[typed.length() + 1][word.length() + 1];
        for (int i = 0; i <= typed.length(); i++) {
            for (int j = 0; j <= word.length(); j++) {
                counts[i][j] = i == 0 || j == 0 ? i + j : fewest(counts, i, j, typed, word);
            }
        }
        return counts[typed.length()][word.length()];
    }

    private static int fewest(int[][] counts, int i, int j, String typed, String word) {
        boolean isSame = typed.charAt(i - 1) == word.charAt(j - 1);
        int fewest =
                Math.min(counts[i - 1][j - 1] + (isSame ? 0 : 1), 1 + Math.min(counts[i - 1][j], counts[i][j - 1]));
        boolean isSwapped = i > 1
                && j > 1
                && typed.charAt(i - 1) == word.charAt(j - 2)
                && typed.charAt(i - 2) == word.charAt(j - 1);
        return isSwapped ? Math.min(fewest, counts[i - 2][j - 2] + 1) : fewest;
    }
}
