package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.ExtremeValues;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chapters 10 and 13, continued: extreme values and similar field names are read back unchanged to the last bit. */
public abstract class ValuesChapter extends MigrationChapter {
    /** Names that a store may use itself. */
    private static final List<String> TAKEN =
            List.of(("$type @type @class class _id number subject change fields $date __key__ __proto__ constructor"
                            + " hasOwnProperty toString length")
                    .split(" "));

    @Test
    @Rule(
            value = "10.17",
            lookAt = "how each type of value is stored: negative zero, the smallest double, texts with trailing"
                    + " blanks, empty texts, instants before 1970, texts that look like another type; an entry without"
                    + " fields, which is not erased")
    final void spec1017_valuesAtTheEdgesComeBackToTheLastBit() {
        Sequence sequence = sequence();
        List<Map<String, Object>> expected = new ArrayList<>();
        for (List<Object> values : ExtremeValues.byType()) {
            Map<String, Object> fields = new HashMap<>();
            for (int i = 0; i < values.size(); i++) {
                fields.put("v" + i, values.get(i));
            }
            expected.add(fields);
        }
        Map<String, Object> mixed = new HashMap<>();
        expected.forEach(fields -> fields.forEach(
                (name, value) -> mixed.put(name + value.getClass().getSimpleName(), value)));
        mixed.values().removeIf(value -> value instanceof String text && text.length() > 1000);
        while (mixed.size() > Limits.MAX_FIELDS) {
            mixed.remove(mixed.keySet().iterator().next());
        }
        expected.add(mixed);
        expected.add(Map.of());
        for (Map<String, Object> fields : expected) {
            IdempotencyToken token = IdempotencyToken.random();
            Entry appended = sequence.append(fields, token);
            StoredValues.assertSame(appended, fields);
            StoredValues.assertSame(entry(elsewhere(sequence), appended.number()), fields);
            StoredValues.assertSame(elsewhere(sequence).append(Map.of("other", 1L), token), fields);
        }
        String together = name();
        List<AppendRequest> requests =
                expected.stream().map(fields -> AppendRequest.of(fields, null)).toList();
        Batches.append(backend().sequences(), together, requests, this::commit);
        StoredValues.assertSame(there().sequence(together), expected);
        if (declares(Capability.IMPORT)) {
            copiesAreTheSame(expected);
        }
        Entry revised = sequence.append(Change.ADDED, "s", expected.get(1));
        assertThat(entry(elsewhere(sequence), revised.number()))
                .as("the entry that is read")
                .isEqualTo(revised);
    }

    private void copiesAreTheSame(List<Map<String, Object>> expected) {
        MigrationStore into = backend().migration();
        String name = name();
        imported(into, Kind.SEQUENCE, name, end(100, 17));
        for (int i = 0; i < expected.size(); i++) {
            into.copy(name, List.of(entry(i + 1, expected.get(i))), commit()).join();
            StoredValues.assertSame(entry(there().sequence(name), i + 1), expected.get(i));
        }
        String together = name();
        imported(into, Kind.SEQUENCE, together, end(100, 17));
        into.copy(
                        together,
                        IntStream.range(0, expected.size())
                                .mapToObj(i -> entry(i + 1, expected.get(i)))
                                .toList(),
                        commit())
                .join();
        StoredValues.assertSame(there().sequence(together), expected);
    }

    @Test
    @Rule(
            value = "10.16",
            lookAt = "how field names are escaped, and whether they are compared unchanged; reserved field names of"
                    + " the store")
    final void spec1016_fieldNamesThatDifferInOneRespectAreDifferent() {
        Sequence sequence = sequence();
        Set<String> taken = new LinkedHashSet<>(SimilarTexts.alone());
        taken.addAll(TAKEN);
        assertFields(sequence, taken);
        List<List<String>> lists = SimilarTexts.lists(random);
        List<String> plain = lists.stream()
                .flatMap(List::stream)
                .filter(text -> text.matches("[0-9A-Za-z/%]{1,2}"))
                .toList();
        for (List<String> similar : lists) {
            Set<String> names = new LinkedHashSet<>(similar);
            names.addAll(plain);
            assertFields(sequence, names);
        }
        Set<String> some = new LinkedHashSet<>();
        int bytes = 0;
        for (String name : SimilarTexts.family("f", Limits.MAX_NAME_BYTES, random)) {
            bytes += name.getBytes(StandardCharsets.UTF_8).length + Long.BYTES;
            if (some.size() == Limits.MAX_FIELDS || bytes > Limits.MAX_FIELDS_BYTES / 2) {
                assertFields(sequence, some);
                some.clear();
                bytes = 0;
            }
            some.add(name);
        }
        assertFields(sequence, some);
    }

    /** Checks that an entry has a field of each name. */
    private void assertFields(Sequence sequence, Set<String> names) {
        Map<String, Object> fields = new HashMap<>();
        names.forEach(name -> fields.put(name, (long) fields.size()));
        Entry appended = sequence.append(fields);
        assertThat(appended.fields()).as("the fields of the entry").isEqualTo(fields);
        assertThat(entry(elsewhere(sequence), appended.number()).fields())
                .as("the fields of the entry")
                .isEqualTo(fields);
    }
}
