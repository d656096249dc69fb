package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chapters 6, 10 and 13, continued: extreme values and similar field names are read back unchanged to the last bit. */
public abstract class ValuesChapter extends MigrationChapter {
    /** Names that a store may use itself. */
    private static final List<String> TAKEN =
            List.of("$type", "@type", "_id", "number", "subject", "change", "fields", "$date", "__key__");

    @Test
    @Rule(
            value = "6.7",
            lookAt = "numbers that are converted to floating point, 32 bits or text: with a token, in a seal, in a"
                    + " list, in an imported state")
    final void spec607_numbersAtTheEdgesComeBackExactly() {
        List<Long> deltas = List.of(
                Limits.MAX_DELTA,
                -Limits.MAX_DELTA,
                Limits.MAX_DELTA - 1,
                1 - Limits.MAX_DELTA,
                (1L << 31) - 1,
                1L << 31,
                -(1L << 31) - 1,
                1L << 32,
                (1L << 24) + 1,
                -1L,
                0L);
        for (long delta : deltas) {
            Counter counter = counter();
            IdempotencyToken token = IdempotencyToken.random();
            counter.add(delta, token);
            assertThat(there().resolve(token))
                    .as("the resolution of the token in another process")
                    .isEqualTo(new Resolution.Added(counter.name(), delta));
            assertThat(elsewhere(counter).get())
                    .as("the total in another process")
                    .isEqualTo(delta);
            counter.add(1);
            assertThat(elsewhere(counter).get())
                    .as("the total in another process")
                    .isEqualTo(delta + 1);
            if (declares(Capability.SEAL_COUNTERS)) {
                assertThat(counter.seal(ELSEWHERE))
                        .as("the seal that is returned")
                        .isEqualTo(new Seal(ELSEWHERE, delta + 1, delta + 1));
                assertThat(elsewhere(counter).get())
                        .as("the total in another process")
                        .isEqualTo(delta + 1);
            }
        }
        if (declares(Capability.IMPORT)) {
            basesAtTheEdges();
        }
    }

    private void basesAtTheEdges() {
        MigrationStore into = backend().migration();
        MigrationStore other = backend().migration();
        for (long total : List.of(
                Limits.MAX_TOTAL,
                -Limits.MAX_TOTAL,
                Limits.MAX_TOTAL - 1,
                (1L << 53) + 1,
                -(1L << 53) - 1,
                (1L << 31))) {
            String name = name();
            assertThat(imported(into, Kind.COUNTER, name, total(total)))
                    .as("the state that the import returns")
                    .isEqualTo(total(total));
            assertThat(imported(other, Kind.COUNTER, name, total(0)))
                    .as("the state that the import returns")
                    .isEqualTo(total(total));
            assertThat(there().counter(name).get())
                    .as("the total in another process")
                    .isEqualTo(total);
            assertThat(other.bases(Kind.COUNTER, List.of(name), commit()).join())
                    .containsExactly(Optional.of(total(total)));
            there().counter(name).add(total > 0 ? -1 : 1);
            assertThat(here().counter(name).get()).as("the total").isEqualTo(total > 0 ? total - 1 : total + 1);
        }
        for (long last : List.of(
                (1L << 31) - 1,
                1L << 31,
                (1L << 32) + 1,
                (1L << 53) + 1,
                999_999_999_999_999L,
                Limits.MAX_IMPORTED_LAST)) {
            long live = last % 2 == 0 ? -last : last - 1;
            ImportedState end = end(last, live);
            String name = name();
            assertThat(imported(into, Kind.SEQUENCE, name, end))
                    .as("the state that the import returns")
                    .isEqualTo(end);
            IdempotencyToken token = IdempotencyToken.random();
            Entry next = there().sequence(name).append(Map.of("a", "b"), token);
            assertThat(here().resolve(token))
                    .as("the resolution of the token")
                    .isEqualTo(new Resolution.Appended(name, last + 1));
            assertThat(next.number()).as("the number of the entry").isEqualTo(last + 1);
            assertThat(here().sequence(name).append(Map.of(), token))
                    .as("the entry of a repeated append")
                    .isEqualTo(next);
            assertThat(other.bases(Kind.SEQUENCE, List.of(name), commit()).join())
                    .containsExactly(Optional.of(end));
            assertThat(here().sequence(name).tail()).as("the tail").isEqualTo(new Tail(last + 1, live + 1, null));
            assertThat(entry(here().sequence(name), last + 1))
                    .as("the entry that is read")
                    .isEqualTo(next);
            Entry copy = entry(last, Map.of("a", 1L));
            into.copy(name, List.of(copy), commit()).join();
            assertThat(there().sequence(name).read(last, last + 1)).containsExactly(copy, next);
            Commit commit = commit();
            IdempotencyToken shared = commit.token();
            AppendRequest request = AppendRequest.of(Map.of(), null);
            backend().sequences().append(name, List.of(request), commit).join();
            assertThat(backend()
                            .resolve(shared, ChangeTarget.append(name, 0), commit())
                            .join())
                    .isEqualTo(new Resolution.Appended(name, last + 2));
            if (declares(Capability.SEAL_SEQUENCES)) {
                assertSealed(name, new Seal(ELSEWHERE, last + 2, live + 2));
            }
            there().sequence(name).erase(last);
            there().sequence(name).erase(last + 1);
            assertThat(here().sequence(name).read(last, last + 1))
                    .containsExactly(copy.withoutFields(), next.withoutFields());
        }
    }

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
