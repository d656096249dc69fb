package io.counterkit.tck.internal.model;

import io.counterkit.spi.Limits;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Texts that a store could interpret, or treat as equal. */
public final class SimilarTexts {
    private static final List<String> ENDINGS = List.of(
            "", "/", "//", "/a", "/A", "/a/", "/a/b/c", "/.", "/..", ".", "/__x__", "__", "%2F", "%2f", "%252F", "\\",
            "`'\"", "[0]*~", " ", "  ", " a", "a ", "é", "e\u0301", "ß", "ss", "İ", "日本", "😀", "\uffff", "\u200b");

    /** One more ending. */
    private static final String SIGNS = "#?&=+;:@,|";

    private static final List<Integer> CUTS = List.of(
            60, 63, 64, 99, 100, 126, 127, 128, 149, 150, 190, 191, 192, 199, 200, 250, 254, 255, 256, 299, 300, 382,
            383, 384, 398, 399, 400, 499, 500, 510, 511, 512);

    /** Endings of long texts, which a store may hash or fold if it does not shorten them. */
    private static final List<String> ENDINGS_OF_LONG =
            List.of("", "a", "A", "Aa", "BB", "\u00e9", "e\u0301", " ", "  ");

    /** Characters of three and of four bytes, so that a text has fewer characters than a key of as many bytes. */
    private static final List<String> WIDE = List.of("\u65e5", "\ud83d\ude00");

    /** How far apart the places are at which long texts differ. */
    private static final int STEP = 37;

    private static final String UNUSUAL = "/:|,;#.'\"\\ A\u00e9\ud83d\ude00%&=+*?[]{}()<>$@~^_-!`";

    private SimilarTexts() {}

    /** Returns a text that starts with another one and has this many bytes. */
    public static String filled(String start, int bytes) {
        return start + "x".repeat(bytes - start.getBytes(StandardCharsets.UTF_8).length);
    }

    /**
     * Returns a name of the largest length that starts with {@code prefix}, and has a capital letter and characters
     * that separate or end texts, or that are signs of a pattern.
     */
    public static String longUnusual(String prefix) {
        return filled(prefix + UNUSUAL, Limits.MAX_NAME_BYTES);
    }

    /** Returns lists of texts. A store could treat those of one list as equal. Some of them are random. */
    public static List<List<String>> lists(Random random) {
        return Stream.concat(TextSamples.ALL.stream(), RandomTexts.lists(random).stream())
                .toList();
    }

    /**
     * Returns different texts that start with {@code prefix}, for names, tokens or subjects. Some of them are random.
     */
    public static List<String> family(String prefix, int maxBytes, Random random) {
        Set<String> texts = new LinkedHashSet<>();
        texts.add(prefix);
        lists(random).forEach(list -> list.forEach(variant -> texts.add(prefix + variant)));
        for (int length : CUTS) {
            texts.add(filled(prefix, "x", length - 1) + "a");
            texts.add(filled(prefix, "x", length - 1) + "b");
            texts.add(filled(prefix, "x", length));
            texts.add(filled(prefix, "\u00e9", length / 2));
        }
        String nearlyLongest = filled(prefix, "x", maxBytes - 4);
        ENDINGS_OF_LONG.forEach(ending -> texts.add(nearlyLongest + ending));
        for (String wide : WIDE) {
            int room = maxBytes - prefix.getBytes(StandardCharsets.UTF_8).length - 1;
            String common = prefix + wide.repeat(room / wide.getBytes(StandardCharsets.UTF_8).length);
            texts.add(common + "a");
            texts.add(common + "b");
        }
        String longest = filled(prefix, "x", maxBytes);
        for (int place = prefix.length(); place < maxBytes; place += STEP) {
            texts.add(longest.substring(0, place) + "y" + longest.substring(place + 1));
        }
        texts.removeIf(text -> text.getBytes(StandardCharsets.UTF_8).length > maxBytes);
        return List.copyOf(texts);
    }

    /** Returns texts that differ at the beginning and contain {@code text}, which makes them unique. */
    public static List<String> beginnings(String text) {
        return Stream.of("", "a", "A", "b", " ", "/", "_", "%", "\ufeff", "\u0301", "\ud83d\ude00", "-", "0", "'")
                .map(beginning -> beginning + text)
                .toList();
    }

    /** Returns a text for messages, in which every character is visible. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder("'");
        text.chars()
                .forEach(c ->
                        shown.append(c >= 0x20 && c < 0x7f ? String.valueOf((char) c) : String.format("\\u%04x", c)));
        return shown.append("' of ").append(text.length()).append(" characters").toString();
    }

    private static String filled(String prefix, String with, int length) {
        return prefix + with.repeat(Math.max(0, length - prefix.length()));
    }

    /** Returns each text with a prefix, and a name of the largest length. */
    public static List<String> under(String prefix) {
        String longest = prefix + "/".repeat(400 - prefix.length());
        return Stream.concat(ENDINGS.stream().map(ending -> prefix + ending), Stream.of(prefix + SIGNS, longest))
                .toList();
    }

    /** Returns different texts without a prefix that a store may reserve, interpret or treat as equal. */
    public static List<String> alone() {
        return List.of(
                ".",
                "..",
                "__",
                "__x__",
                "/",
                "//",
                "%",
                "*",
                "~",
                "`",
                "a.b",
                "[a]",
                "0",
                "00",
                "-0",
                "-1",
                "1",
                "1.0",
                "null",
                "NULL",
                "true",
                "TRUE",
                "a",
                "A",
                "\"a\"",
                "'a'",
                "é",
                "É",
                " ",
                "  ",
                "\u00a0",
                "\ufeff",
                "%2E",
                "%2E%2E",
                "%5F%5Fx__",
                "%5F_x__",
                "~.",
                "_.");
    }

    /**
     * Returns different texts, each of which is a number or a UUID as a whole. A store that converts them may treat
     * some of them as equal. They are random, and therefore unique.
     */
    public static List<String> wholes(Random random) {
        long number = random.nextLong(1L << 52, 1L << 53);
        String id = new UUID(random.nextLong(), random.nextLong() | 0xabcdef).toString();
        return List.of(
                "" + number,
                "0" + number,
                "+" + number,
                number + ".0",
                number + "e0",
                "0x" + Long.toHexString(number),
                "0X" + Long.toHexString(number),
                "'" + number + "'",
                "\"" + number + "\"",
                "[" + number + "]",
                "9" + number + number,
                "09" + number + number,
                id,
                id.toUpperCase(Locale.ROOT),
                id.replace("-", ""),
                "{" + id + "}",
                "urn:uuid:" + id);
    }
}
