package io.counterkit.tck.internal.model;

import java.util.List;
import java.util.stream.Stream;

/** Names that a store could mistake for something else, or for one another. */
public final class SimilarTexts {
    private static final List<String> ENDINGS = List.of(
            "",
            "/",
            "//",
            "/a",
            "/A",
            "/a/",
            "/a/b/c",
            "/.",
            "/..",
            ".",
            "/__x__",
            "__",
            "%2F",
            "%2f",
            "%252F",
            "\\",
            "`'\"",
            "[0]*~",
            "#?&=+;:@,|",
            " ",
            "  ",
            " a",
            "a ",
            "é",
            "e\u0301",
            "ß",
            "ss",
            "İ",
            "日本",
            "\ud83d\ude00",
            "\uffff",
            "\u200b");

    private SimilarTexts() {}

    /** All of them behind a prefix, and one as long as a name may be. */
    public static List<String> under(String prefix) {
        String longest = prefix + "/".repeat(400 - prefix.length());
        return Stream.concat(ENDINGS.stream().map(ending -> prefix + ending), Stream.of(longest))
                .toList();
    }

    /** Some that stand alone, without a prefix. */
    public static List<String> alone() {
        return List.of(".", "..", "__", "__x__", "/", "//", "%", "*", "~", "`", "a.b", "[a]", "0", "-1", "null");
    }
}
