package io.counterkit.firestore.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentIdsTest {
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);
    private static final String LETTER_BEYOND_16_BITS = Character.toString(0x1F600);

    /** The characters of random names: all escaped ones, their neighbours, and the ends of the code points. */
    private static final List<String> PIECES = List.of(
            "/",
            ".",
            "_",
            "%",
            "%2F",
            "%5F",
            "-",
            "0",
            "`",
            "^",
            "a",
            "é",
            "\uD7FF",
            "\uE000",
            "\uFFFF",
            LETTER_BEYOND_16_BITS,
            LAST);

    @ParameterizedTest
    @ValueSource(strings = {"likes", "posts 42", "x_y", "_x_", "__x", "x__", "...", ".x", "é", "__x__y", "___"})
    void nameThatFirestoreAccepts_isItsOwnId(String name) {
        assertThat(DocumentIds.of(name)).isEqualTo(name);
        assertThat(DocumentIds.nameOf(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "a/b, a%2Fb",
        "/, %2F",
        "a//b/, a%2F%2Fb%2F",
        "., %2E",
        ".., %2E.",
        "__x__, %5F_x__",
        "____, %5F___",
        "_____, %5F____",
        "%, %25",
        "%2F, %252F",
        "%2E, %252E",
        "%5F_x__, %255F_x__",
        "__/__, %5F_%2F__"
    })
    void otherName_isEscapedAndReadBack(String name, String id) {
        assertThat(DocumentIds.of(name)).isEqualTo(id);
        assertThat(DocumentIds.nameOf(id)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "__x__", "%", "%zz", "100%", "%2f", "%2Ex", "%5Fx", "a\u0001", "%2"})
    void foreignId_hasNoName(String id) {
        assertThat(DocumentIds.nameOf(id)).isNull();
    }

    @Test
    void longestName_fitsIntoAnIdWhenFullyEscaped() {
        assertThat(DocumentIds.of("/".repeat(400)).getBytes(UTF_8)).hasSizeLessThanOrEqualTo(1500);
        assertThat(DocumentIds.nameOf("a".repeat(1500))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "__x__", "____", "%", "%5F", "%5F_x__", "a/b", "`", "[*]"})
    void fieldNames_areReadBack(String name) {
        String field = DocumentIds.ofField(name);
        assertThat(field).doesNotMatch("__.*__");
        assertThat(DocumentIds.nameOfField(field)).isEqualTo(name);
    }

    @Test
    void randomNames_areReadBackFromIdsThatFirestoreAccepts() {
        Random random = seeded();
        Set<String> ids = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 5_000; i++) {
            String name = text(random, 1 + random.nextInt(6));
            String id = DocumentIds.of(name);
            assertThat(id).doesNotContain("/").doesNotMatch("(?s)\\.|\\.\\.|__.*__");
            assertThat(DocumentIds.nameOf(id)).isEqualTo(name);
            names.add(name);
            ids.add(id);
        }
        assertThat(ids).hasSameSizeAs(names);
    }

    @Test
    void order_isThatOfCodePoints() {
        List<String> pieces = new ArrayList<>(PIECES);
        pieces.sort(DocumentIds.ORDER);
        List<String> expected = new ArrayList<>(PIECES);
        expected.sort((one, other) ->
                Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray()));
        assertThat(pieces)
                .isEqualTo(expected)
                .isNotEqualTo(PIECES.stream().sorted().toList());
    }

    @Test
    void rangesOfAPrefix_containTheIdsOfItsNamesAndNoOthers() {
        Random random = seeded();
        for (int round = 0; round < 300; round++) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                names.add(text(random, 1 + random.nextInt(5)));
            }
            String prefix = text(random, random.nextInt(4));
            List<String> ids = names.stream()
                    .map(DocumentIds::of)
                    .distinct()
                    .sorted(DocumentIds.ORDER)
                    .toList();
            List<String> filtered = ids.stream()
                    .filter(id -> String.valueOf(DocumentIds.nameOf(id)).startsWith(prefix))
                    .toList();
            List<String> ranged = new ArrayList<>();
            for (DocumentIds.Range range : DocumentIds.startingWith(prefix)) {
                ids.stream().filter(id -> isIn(range, id)).forEach(ranged::add);
            }
            // A range may contain other ids only because of escapes: NameQuery compares names with the prefix too.
            List<String> found = ranged.stream()
                    .filter(id -> String.valueOf(DocumentIds.nameOf(id)).startsWith(prefix))
                    .toList();
            assertThat(found).as("prefix '%s' of %s", prefix, names).isEqualTo(filtered);
            assertThat(ranged.size() - found.size())
                    .as("prefix '%s' asks for %s", prefix, ranged)
                    .isLessThanOrEqualTo(prefix.startsWith("_") || prefix.startsWith(".") ? ids.size() : 0);
        }
    }

    @Test
    void boundsOfRanges_areIdsThatFirestoreAccepts() {
        Random random = seeded();
        for (int i = 0; i < 5_000; i++) {
            String prefix = text(random, random.nextInt(5));
            for (DocumentIds.Range range : DocumentIds.startingWith(prefix)) {
                for (String bound : Arrays.asList(range.from(), range.to())) {
                    if (bound != null) {
                        assertThat(bound).doesNotContain("/").doesNotMatch("(?s)\\.|\\.\\.|__.*__");
                        assertThat(UTF_8.newEncoder().canEncode(bound)).isTrue();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"a, b", "a-, a.", "a., a0", "Z, ["})
    void endOfARange_isTheNextPossibleId(String prefix, String end) {
        assertThat(DocumentIds.startingWith(prefix)).containsExactly(new DocumentIds.Range(prefix, end));
    }

    @Test
    void endOfARange_skipsTheLastCodePointAndSurrogates() {
        assertThat(DocumentIds.startingWith("a" + LAST)).containsExactly(new DocumentIds.Range("a" + LAST, "b"));
        assertThat(DocumentIds.startingWith(LAST)).containsExactly(new DocumentIds.Range(LAST, null));
        assertThat(DocumentIds.startingWith("\uD7FF")).containsExactly(new DocumentIds.Range("\uD7FF", "\uE000"));
        assertThat(DocumentIds.startingWith("\uFFFF"))
                .containsExactly(new DocumentIds.Range("\uFFFF", Character.toString(0x10000)));
    }

    private static boolean isIn(DocumentIds.Range range, String id) {
        return (range.from() == null || DocumentIds.ORDER.compare(id, range.from()) >= 0)
                && (range.to() == null || DocumentIds.ORDER.compare(id, range.to()) < 0);
    }

    private static String text(Random random, int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            // Half of them from the characters of reserved ids.
            text.append(random.nextBoolean() ? "_" : PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("DocumentIdsTest: seed " + seed);
        return new Random(seed);
    }
}
