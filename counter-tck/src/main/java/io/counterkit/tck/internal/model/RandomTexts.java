package io.counterkit.tck.internal.model;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Random characters, each with others that a collation, a normalization form of Unicode or a conversion could treat as
 * equal. They cover characters that are in no list of samples.
 */
final class RandomTexts {
    /** How many characters of each kind are chosen. */
    private static final int EACH = 4;

    /** How often a random character is tried: few characters are of the rarest kind. */
    private static final int TRIES = 100_000;

    private RandomTexts() {}

    /** Returns lists of similar characters. */
    static List<List<String>> lists(Random random) {
        List<List<String>> lists = new ArrayList<>();
        for (IntFunction<List<String>> kind : List.<IntFunction<List<String>>>of(
                RandomTexts::cases, RandomTexts::forms, RandomTexts::digits, RandomTexts::invisible)) {
            int found = 0;
            for (int i = 0; i < TRIES && found < EACH; i++) {
                int character = random.nextInt(Character.MAX_CODE_POINT + 1);
                List<String> similar = isValid(character) ? kind.apply(character) : List.of();
                if (similar.size() > 1) {
                    lists.add(similar);
                    found++;
                }
            }
        }
        return lists;
    }

    private static boolean isValid(int character) {
        return Character.isDefined(character)
                && !Character.isISOControl(character)
                && Character.getType(character) != Character.SURROGATE;
    }

    private static List<String> cases(int character) {
        return distinct(
                character,
                Character.toString(Character.toLowerCase(character)),
                Character.toString(Character.toUpperCase(character)));
    }

    /** Returns a character, what it is composed of, and its first part, such as the letter without an accent. */
    private static List<String> forms(int character) {
        String text = Character.toString(character);
        String parts = Normalizer.normalize(text, Form.NFKD);
        return distinct(
                character, Normalizer.normalize(text, Form.NFD), parts, Character.toString(parts.codePointAt(0)));
    }

    private static List<String> digits(int character) {
        int digit = Character.digit(character, 10);
        return digit < 0 ? List.of() : distinct(character, Integer.toString(digit));
    }

    private static List<String> invisible(int character) {
        return Character.isIdentifierIgnorable(character)
                ? List.of("a", "a" + Character.toString(character))
                : List.of();
    }

    private static List<String> distinct(int character, String... others) {
        Set<String> texts = new LinkedHashSet<>();
        texts.add(Character.toString(character));
        texts.addAll(List.of(others));
        texts.removeIf(text -> text.codePoints().anyMatch(part -> !isValid(part)));
        return List.copyOf(texts);
    }
}
