package io.counterkit.tck.internal.model;

import java.util.List;

/** Lists of endings of a text. A store could treat those of one list as equal, since they differ in one respect. */
final class TextSamples {
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

    /** Characters that are signs of a pattern, or that a store may choose as an escape character. */
    private static final List<String> SIGNS = List.of(
            "a", "!a", "!!", "!%", "!_", "^a", "^", "(a)", "(", "{a}", "a{1}", "}", "@a", "@", "=a", "|a", "#a", "~a",
            "$a", "/a", "\\a", "\\Ea", "\\E", "\\Q", "<", ">", ",a", ";a", "&a", "+a", "-a", "?a", ".a");

    /** Paths and separators. */
    private static final List<String> PATHS = List.of(
            "/", "//", "/a", "/A", "//a", "/./a", "/b/../a", "/.", "/..", "/a/", "/a//", "a/b", "a//b", "a\\b", "a|b",
            "a:b", "a,b", "a.b", "a-b", "a=b", ".", "..", "...");

    /** Numbers and words of other types. */
    private static final List<String> WORDS =
            List.of("0", "00", "-0", "1", "01", "+1", "1.0", "1e0", "0x1", "true", "TRUE", "null", "NULL", "NaN");

    /** Characters that a store may use in place of those that it does not allow, or that look the same. */
    private static final List<String> SUBSTITUTES = List.of(
            ".", "\uff0e", "\u2024", "\u3002", "$", "\uff04", "/", "\uff0f", "\u2215", "\u2044", "-", "\u2010",
            "\u2011", "\u2013", "\u2212", "'", "\u2019", "\"", "\u201d", "a", "\u0430");

    /** Characters, and escapes of them. */
    private static final List<String> ENCODED = List.of(
            ".", "%2E", "%2e", "=2E", "~.", "_.", "_", "%5F", "/", "=2F", "+AC8-", "A", "%u0041", "_x0041_", "&#65;",
            "&#x41;", "\\x41", "\\101", "a", "xn--a", "con", "nul", "aux.");

    /** Texts with equal checksums: CRC-32, Adler-32. */
    private static final List<String> CHECKSUMS = List.of("plumless", "buckeroo", "bdb", "cbc");

    /** Characters outside the basic plane. */
    private static final List<String> PLANES = List.of("\ud83d\ude00", "\ud83d\ude01", "\ud800\udc00", "\udbff\udfff");

    /** Characters that replace others. */
    private static final List<String> REPLACEMENTS = List.of("\uffff", "\ufffe", "\ufffd", "??");

    /** Characters at the ends of ranges: their neighbours have another number of bytes, or are surrogates. */
    private static final List<String> BOUNDARIES =
            List.of("~", "\u00ff", "\u0100", "\u07ff", "\u0800", "\ud7ff", "\ud7ffa", "\ue000");

    /** Texts with equal hash codes. */
    private static final List<String> HASHES = List.of("Aa", "BB", "AaAa", "BBBB", "AaBB");

    /** All lists. */
    static final List<List<String>> ALL = List.of(
            CASES,
            FORMS,
            COMPOSED,
            COMPATIBLE,
            BLANKS,
            ESCAPES,
            SIGNS,
            PATHS,
            WORDS,
            SUBSTITUTES,
            ENCODED,
            CHECKSUMS,
            PLANES,
            REPLACEMENTS,
            BOUNDARIES,
            HASHES);

    private TextSamples() {}
}
