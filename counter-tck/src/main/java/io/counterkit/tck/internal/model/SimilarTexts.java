package io.counterkit.tck.internal.model;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Texts that a store could interpret, or take for one another. */
public final class SimilarTexts {
    private static final List<String> ENDINGS = List.of(
            "", "/", "//", "/a", "/A", "/a/", "/a/b/c", "/.", "/..", ".", "/__x__", "__", "%2F", "%2f", "%252F", "\\",
            "`'\"", "[0]*~", " ", "  ", " a", "a ", "é", "e\u0301", "ß", "ss", "İ", "日本", "😀", "\uffff", "\u200b");

    /** One more ending. */
    private static final String SIGNS = "#?&=+;:@,|";

    /** Letters that differ in case, or become equal by case folding. */
    private static final List<String> CASES = List.of(
            "a",
            "A",
            "k",
            "K",
            "\u212a",
            "s",
            "S",
            "\u017f",
            "i",
            "I",
            "\u0130",
            "\u0131",
            "\u00df",
            "\u1e9e",
            "SS",
            "\u03c3",
            "\u03c2",
            "\u03a3",
            "\u0434",
            "\u0414",
            "\u10d0",
            "\u1c90",
            "\ud801\udc00",
            "\ud801\udc28");

    /** Widths and accents. */
    private static final List<String> FORMS = List.of(
            "\u00e9", "e\u0301", "e", "\u00c5", "A\u030a", "\u212b", "\ufb01", "fi", "\uff41", "\uff21", "\u2460", "1",
            "\u00b9", "\u30ab", "\uff76", "\u00bd", "\u00f1", "n", "\u2126", "\u03a9");

    /** Composed and decomposed characters, and marks in another order. */
    private static final List<String> COMPOSED = List.of(
            "\uac00",
            "\u1100\u1161",
            "\u304b",
            "\u304c",
            "\u304b\u3099",
            "a\u0323\u0307",
            "a\u0307\u0323",
            "\u1ea1\u0307",
            "\u8c48",
            "\uf900",
            "\u4e3d",
            "\ud87e\udc00");

    /** Letters and digits that some collations and forms treat as others, or as two. */
    private static final List<String> COMPATIBLE = List.of(
            "ae",
            "\u00e6",
            "oe",
            "\u0153",
            "o",
            "\u00f8",
            "d",
            "\u0111",
            "dz",
            "\u01c6",
            "\u3042",
            "\u30a2",
            "2",
            "\u00b2",
            "\u0662",
            "\u0968",
            "\uff12",
            "\ud835\udfd0",
            "A",
            "\ud835\udc00",
            "\u24b6",
            "I",
            "\u2160");

    /** Blanks and invisible characters. */
    private static final List<String> BLANKS = List.of(
            "a",
            "a ",
            " a",
            "a  ",
            "a\u00a0",
            "a\u3000",
            "a\u200b",
            "a\u200d",
            "a\u00ad",
            "a\ufeff",
            "a\ufe0f",
            "a\u2028",
            "a\u2060",
            "a\u200e",
            "a\u202a",
            "a\u2066",
            "a\u061c",
            "a\u034f",
            "a\u180e",
            "a\u115f",
            "a\udb40\udc41",
            "a\udb40\udd00");

    /** Wildcards, quotes and escapes. */
    private static final List<String> ESCAPES = List.of(
            "_",
            "__",
            "%",
            "%%",
            "a%",
            "a_",
            "ab",
            "\\",
            "\\\\",
            "\\%",
            "\\_",
            "'",
            "''",
            "\"",
            "`",
            "$",
            "${a}",
            "?",
            "*",
            "[a]",
            "~",
            "#",
            ";",
            "--",
            "%25",
            "%5C",
            "+",
            "a+b",
            "a b",
            "a%20b",
            "&amp;",
            "&",
            "\\u0061",
            "\\n",
            "<a>",
            "&lt;a&gt;",
            "%41",
            "%C3%A9",
            "%c3%a9",
            "%2F",
            "%2f",
            "\u00e9",
            "A",
            "/");

    /** Paths and separators. */
    private static final List<String> PATHS = List.of(
            "/", "//", "/a", "/A", "//a", "/./a", "/b/../a", "/.", "/..", "/a/", "/a//", "a/b", "a//b", "a\\b", "a|b",
            "a:b", "a,b", "a.b", "a-b", "a=b", ".", "..", "...");

    /** Numbers and words of other types. */
    private static final List<String> WORDS =
            List.of("0", "00", "-0", "1", "01", "+1", "1.0", "1e0", "0x1", "true", "TRUE", "null", "NULL", "NaN");

    /** Texts with equal checksums: CRC-32, Adler-32. */
    private static final List<String> CHECKSUMS = List.of("plumless", "buckeroo", "bdb", "cbc");

    /** Characters outside the basic plane. */
    private static final List<String> PLANES = List.of("\ud83d\ude00", "\ud83d\ude01", "\ud800\udc00", "\udbff\udfff");

    /** Characters that stand for others. */
    private static final List<String> REPLACEMENTS = List.of("\uffff", "\ufffe", "\ufffd", "??");

    /** Texts with equal hash codes. */
    private static final List<String> HASHES = List.of("Aa", "BB", "AaAa", "BBBB", "AaBB");

    /** Endings of a text, so that any two results differ in one respect. */
    private static final List<List<String>> VARIANTS = List.of(
            CASES, FORMS, COMPOSED, COMPATIBLE, BLANKS, ESCAPES, PATHS, WORDS, CHECKSUMS, PLANES, REPLACEMENTS, HASHES);

    private static final List<Integer> CUTS = List.of(
            60, 63, 64, 99, 100, 126, 127, 128, 149, 150, 190, 191, 192, 199, 200, 250, 254, 255, 256, 299, 300, 382,
            383, 384, 398, 399, 400, 499, 500, 510, 511, 512);

    /** Endings of long texts, which a store may hash or fold where it does not shorten them. */
    private static final List<String> ENDINGS_OF_LONG =
            List.of("", "a", "A", "Aa", "BB", "\u00e9", "e\u0301", " ", "  ");

    /** How far apart the places are at which long texts differ. */
    private static final int STEP = 37;

    private SimilarTexts() {}

    /** Returns a text that starts with another one, which has only ASCII characters, and has this many bytes. */
    public static String filled(String start, int bytes) {
        return start + "x".repeat(bytes - start.length());
    }

    /** Returns lists of texts, of which those of one list could be taken for one another. Some of them are random. */
    public static List<List<String>> lists(Random random) {
        return Stream.concat(VARIANTS.stream(), RandomTexts.lists(random).stream())
                .toList();
    }

    /** Returns different texts that start with {@code prefix}, for names, tokens or subjects. Some of them are random. */
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

    private static String filled(String prefix, String with, int length) {
        return prefix + with.repeat(Math.max(0, length - prefix.length()));
    }

    /** Returns each text with a prefix, and a name of the largest length. */
    public static List<String> under(String prefix) {
        String longest = prefix + "/".repeat(400 - prefix.length());
        return Stream.concat(ENDINGS.stream().map(ending -> prefix + ending), Stream.of(prefix + SIGNS, longest))
                .toList();
    }

    /** Returns texts without a prefix that a store may reserve. */
    public static List<String> alone() {
        return List.of(".", "..", "__", "__x__", "/", "//", "%", "*", "~", "`", "a.b", "[a]", "0", "-1", "null");
    }
}
