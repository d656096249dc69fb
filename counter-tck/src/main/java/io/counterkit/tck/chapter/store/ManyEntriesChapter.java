package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.model.SequenceHistory;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapters 10 and 13, continued: more entries, subjects and copies than a page, a cache or a batch has. */
public abstract class ManyEntriesChapter extends MigrationChapter {
    private static final int MANY = 1_100;
    private static final int FEW = 200;

    /** The number of names whose states are read at once on a slow store. */
    private static final int FEW_NAMES = 120;

    /** More than a cache holds. Used on a fast store only. */
    private static final int VERY_MANY = 11 * MANY;

    /** What makes subjects and tokens long, so that all of them are more than a document of a store holds. */
    private static final String LONG = "x".repeat(200);

    /** The longest time that a fast store takes for {@link #MANY} adds. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(150);

    @Test
    @Rule(
            value = "10.18",
            lookAt = "limits on the number and the size of entries, subjects and tokens, and whether the first of them"
                    + " are still known")
    final void spec1018_longSequencesAreComplete() {
        Sequence sequence = sequence();
        IdempotencyToken first = IdempotencyToken.random();
        Entry one = sequence.append(Change.ADDED, "subject 0", Map.of("i", 0L), first);
        int some = size(MANY, FEW);
        boolean isFast = append(sequence, 1, some) < SOON / MANY;
        int many = isFast ? VERY_MANY : some;
        append(sequence, some, many);
        Sequence other = elsewhere(sequence);
        assertLast(other, many);
        assertThat(other.liveCount()).as("the live count").isEqualTo(many);
        for (long[] range : new long[][] {
            {1, Math.min(many - 100, 1000)}, {many - 99, many}, {200, 200}, {many - 1, many + 100}, {1, 1}
        }) {
            assertThat(other.read(range[0], range[1]))
                    .extracting(entry -> entry.fields().get("i"))
                    .containsExactlyElementsOf(LongStream.range(range[0] - 1, Math.min(range[1], many))
                            .boxed()
                            .toList());
        }
        assertThat(SequenceHistory.numbersIn(other)).hasSize(many);
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> other.append(Change.ADDED, "subject 0", Map.of()));
        assertThat(other.append(Change.ADDED, "subject 0", Map.of(), first))
                .as("the entry that the append returns")
                .isEqualTo(one);
        assertThat(there().resolve(first))
                .as("the resolution of the first of %s tokens", 1 + Math.max(0, many - MANY))
                .isEqualTo(new Resolution.Appended(sequence.name(), 1));
        other.erase(1);
        assertThat(entry(sequence, 1)).as("the entry that is read").isEqualTo(one.withoutFields());
        assertThat(other.append(Change.REMOVED, "subject 0", Map.of()).liveCount())
                .isEqualTo(many - 1L);
    }

    /**
     * Appends entries with these numbers, counted from 0. Returns the average time in the fastest group, in
     * nanoseconds.
     */
    private static long append(Sequence sequence, int from, int end) {
        return Hundreds.change(IntStream.range(from, end).boxed().toList(), i -> append(sequence, i));
    }

    /** Appends an entry with this number, counted from 0. Entries from {@link #MANY} on have tokens. */
    private static CompletableFuture<Entry> append(Sequence sequence, int i) {
        String subject = "subject " + i + LONG;
        Map<String, Long> fields = Map.of("i", (long) i);
        return i < MANY
                ? sequence.async().append(Change.ADDED, subject, fields)
                : sequence.async().append(Change.ADDED, subject, fields, IdempotencyToken.of(UUID.randomUUID() + LONG));
    }

    @Test
    @Rule(
            value = "13.12",
            lookAt = "limits on the number and the size of the names in one request, and on the copied entries in one"
                    + " read")
    final void spec1312_manyNamesAndCopiesAreComplete() {
        if (refusesToImport()) {
            return;
        }
        int many = size(MANY, FEW);
        MigrationStore into = backend().migration();
        Sequence sequence = sequence();
        imported(into, Kind.SEQUENCE, sequence.name(), end(many, 17));
        for (int from = 1; from <= many; from += 100) {
            List<Entry> entries = LongStream.range(from, from + 100)
                    .mapToObj(number -> entry(number, Map.of("i", number)))
                    .toList();
            into.copy(sequence.name(), entries, commit()).join();
        }
        sequence.next();
        assertThat(SequenceHistory.numbersIn(elsewhere(sequence))).isEqualTo(SequenceHistory.firstNumbers(many + 1));
        assertThat(elsewhere(sequence).read(102, many + 1)).hasSize(many - 100);
        int page = timeBox.isFast() ? Limits.MAX_PAGE : FEW_NAMES;
        List<String> names = Stream.generate(() -> SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES))
                .limit(page - 2)
                .collect(Collectors.toCollection(ArrayList::new));
        names.add(page - 30, sequence.name());
        names.add(sequence.name());
        here().counter(sequence.name()).add(1);
        for (Kind kind : Kind.values()) {
            List<NameState> states = into.states(kind, names, commit()).join();
            assertThat(states).as("the states of %s names", page).hasSize(page);
            List<Optional<ImportedState>> bases =
                    into.bases(kind, names, commit()).join();
            assertThat(bases).as("the imported states of %s names", page).hasSize(page);
            for (int place : new int[] {page - 30, page - 1}) {
                assertThat(states.get(place).isPresent()).isTrue();
                assertThat(bases.get(place))
                        .isEqualTo(kind == Kind.COUNTER ? Optional.empty() : Optional.of(end(many, 17)));
            }
            assertThat(into.states(kind, List.of(), commit()).join())
                    .as("the states of an empty list of names")
                    .isEmpty();
            assertThat(into.bases(kind, List.of(), commit()).join())
                    .as("the imported states of an empty list of names")
                    .isEmpty();
        }
    }
}
