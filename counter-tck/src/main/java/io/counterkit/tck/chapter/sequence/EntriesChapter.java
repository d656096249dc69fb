package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.SequenceHistory;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Chapter 10, continued: fields of entries. */
public abstract class EntriesChapter extends Chapter {
    /** Names that a backend may use for its own columns, properties or attributes. */
    private static final List<String> COLUMNS =
            List.of(("id key name sequence number subject change fields data value values type kind count live"
                            + " liveCount live_count last total delta token tokens commit request index time"
                            + " at appendedAt appended_at created createdAt created_at updated expires expireAt"
                            + " ttl version erased deleted seal sealed sealedAt forward base origin n s c t v")
                    .split(" "));

    @Test
    @Rule(value = "10.9", lookAt = "how each type of value is stored and read, and how field names are escaped")
    final void spec1009_fieldsAreReadBackAsTheyWereAppended() {
        Map<String, Object> fields = new HashMap<>();
        fields.put("text", "añ\u0000\n\ud83d\ude00");
        fields.put("empty", "");
        fields.put("long text", "x".repeat(5000));
        fields.put("max", Long.MAX_VALUE);
        fields.put("min", Long.MIN_VALUE);
        fields.put("double", 0.1);
        fields.put("whole double", 2.0);
        fields.put("infinite", Double.NEGATIVE_INFINITY);
        fields.put("not a number", Double.NaN);
        fields.put("true", true);
        fields.put("false", false);
        fields.put("early", Instant.parse("0001-01-01T00:00:00Z"));
        fields.put("late", Instant.parse("9999-12-31T23:59:59.999Z"));
        SimilarTexts.alone().forEach(name -> fields.put(name, "field " + name));
        fields.put("n".repeat(400), 1L);
        Sequence sequence = sequence();
        assertThat(sequence.append(fields).fields())
                .as("the fields of the entry")
                .isEqualTo(fields);
        assertThat(entry(elsewhere(sequence), 1).fields())
                .as("the fields of the entry")
                .isEqualTo(fields);
    }

    @Test
    @Rule(
            value = "10.10",
            lookAt = "whether byte arrays and lists of entries are copied; whether a change of a subject overwrites its"
                    + " previous entry, or takes fields from it")
    final void spec1010_entriesDoNotChange() {
        Sequence sequence = sequence();
        byte[] bytes = {1, 2, (byte) 0xff};
        Map<String, Object> fields = new HashMap<>(Map.of("bytes", bytes, "none", new byte[0]));
        Entry appended = sequence.append(fields);
        bytes[0] = 9;
        fields.put("more", 1L);
        bytesOf(appended, "bytes")[1] = 9;
        bytesOf(entry(sequence, 1), "bytes")[2] = 9;
        sequence.append(Map.of("bytes", new byte[] {7}));
        Map<String, Object> read = entry(elsewhere(sequence), 1).fields();
        assertThat(read).containsOnlyKeys("bytes", "none");
        assertThat((byte[]) read.get("bytes")).containsExactly(1, 2, 0xff);
        assertThat((byte[]) read.get("none")).isEmpty();
        assertThat(entry(sequence, 1).appendedAt()).as("the time of the entry").isEqualTo(appended.appendedAt());
        sequence.append(Change.ADDED, "s", Map.of("v", 1L));
        sequence.append(Change.UPDATED, "s", Map.of("w", 2L));
        sequence.append(Change.REMOVED, "s", Map.of());
        assertThat(sequence.read(3, 5))
                .extracting(Entry::fields)
                .containsExactly(Map.of("v", 1L), Map.of("w", 2L), Map.of());
        List<Entry> received = sequence.read(3, 5);
        try {
            received.clear();
        } catch (UnsupportedOperationException e) {
            assertThat(received).hasSize(3);
        }
        assertThat(sequence.read(3, 5))
                .as("the entries after a caller has removed them from the list that it received")
                .hasSize(3);
    }

    @Test
    @Rule(
            value = "10.23",
            lookAt = "fields that are stored among the backend's own columns, without a prefix or an escape")
    final void spec1023_fieldsMayHaveTheNamesOfColumns() {
        Map<String, Object> fields = new HashMap<>();
        COLUMNS.forEach(column -> fields.put(column, "field " + column));
        Map<String, Object> numbers = new HashMap<>();
        COLUMNS.forEach(column -> numbers.put(column, -7L));
        Sequence sequence = sequence();
        IdempotencyToken token = IdempotencyToken.random();
        Entry texts = sequence.append(Change.ADDED, "subject", fields, token);
        Entry longs = sequence.append(numbers);
        assertThat(texts.fields()).as("the fields of the entry").isEqualTo(fields);
        assertThat(longs.fields()).as("the fields of the entry").isEqualTo(numbers);
        assertThat(elsewhere(sequence).read(1, 9)).containsExactly(texts, longs);
        assertThat(elsewhere(sequence).append(Change.ADDED, "subject", Map.of(), token))
                .isEqualTo(texts);
        assertTailElsewhere(sequence, new Tail(2, 2, null));
        elsewhere(sequence).erase(1);
        assertThat(sequence.read(1, 9)).containsExactly(texts.withoutFields(), longs);
    }

    @Test
    @Rule(value = "10.12", lookAt = "the API layer: it checks fields before they reach the backend")
    final void spec1012_invalidFieldIsRefusedAndUsesNoNumber() {
        Sequence sequence = sequence();
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 101; i++) {
            many.put("f" + i, true);
        }
        List<Map<String, ?>> refused = new ArrayList<>(List.of(
                many,
                Map.of("int", 1),
                Map.of("list", List.of("a")),
                Map.of("map", Map.of()),
                Map.of("fine", Instant.ofEpochSecond(0, 1)),
                Map.of("year 10000", Instant.parse("+10000-01-01T00:00:00Z")),
                Map.of("", 1L),
                Map.of("half", "\ud83d"),
                Map.of("n".repeat(401), 1L),
                Map.of("large", new byte[32 * 1024])));
        refused.add(Collections.singletonMap("null", null));
        for (Map<String, ?> fields : refused) {
            assertThatIllegalArgumentException().as("%s", fields.keySet()).isThrownBy(() -> sequence.append(fields));
        }
        assertLast(sequence, 0);
        appendNumber(sequence, 1);
    }

    @Test
    @Rule(value = "10.13", lookAt = "what remains of an erased entry, and whether it keeps its number")
    final void spec1013_erasingBlanksTheFieldsAndKeepsTheNumber() {
        Sequence sequence = sequence();
        sequence.append(Map.of("a", 1L));
        Entry whole = sequence.append(Change.ADDED, "s", Map.of("secret", "x"));
        sequence.append(Map.of("a", 3L));
        assertThat(sequence.read(2, 2)).containsExactly(whole);
        elsewhere(sequence).erase(2);
        assertThat(sequence.read(2, 2))
                .as("an entry that this process read before another process erased it")
                .containsExactly(whole.withoutFields());
        sequence.erase(2);
        assertThat(sequence.read(2, 2)).containsExactly(whole.withoutFields());
        assertThat(sequence.read(1, 3)).extracting(Entry::erased).containsExactly(false, true, false);
        assertLast(sequence, 3);
        assertThat(sequence.liveCount()).as("the live count").isEqualTo(3);
        appendNumber(sequence, 4);
        sequence.erase(4);
        assertThat(elsewhere(sequence).tail())
                .as("the tail, whose last entry is erased")
                .isEqualTo(new Tail(4, 4, null));
        appendNumberElsewhere(sequence, 5);
        Entry empty = sequence.append(Map.of());
        assertThat(empty.erased())
                .as("whether an entry without fields is erased")
                .isFalse();
        assertThat(entry(elsewhere(sequence), empty.number()))
                .as("the entry that is read")
                .isEqualTo(empty);
        sequence.erase(empty.number());
        assertThat(entry(elsewhere(sequence), empty.number()))
                .as("the entry that is read")
                .isEqualTo(empty.withoutFields());
        assertThatIllegalArgumentException().isThrownBy(() -> sequence.erase(7)).withMessageContaining("7");
        assertThatIllegalArgumentException().isThrownBy(() -> sequence.erase(0)).withMessageContaining("0");
        assertThatIllegalArgumentException().isThrownBy(() -> sequence.erase(Long.MAX_VALUE));
    }

    @Test
    @Rule(value = "10.14", lookAt = "which number an append uses after a failed call under contention")
    final void spec1014_concurrentAppendsWithFaultsLeaveNoGapAndNoDuplicate() throws Exception {
        for (StoreFault fault : FAILURES) {
            Sequence sequence = sequence();
            AtomicLong applied = new AtomicLong();
            AtomicLong hits = new AtomicLong();
            tasks().runAtOnce(4, thread -> {
                Sequence mine = thread % 2 == 0 ? sequence : elsewhere(sequence);
                for (int i = 0; i < 15; i++) {
                    try (FaultInjector.InjectedFault injected = inject(fault, 1 + (thread + i) % 5)) {
                        applied.addAndGet(applyAndResolve(mine::next) ? 1 : 0);
                        hits.addAndGet(injected.isHit() ? 1 : 0);
                    }
                }
            });
            assertThat(hits).as("calls hit by a fault").hasPositiveValue();
            SequenceHistory.checkOneTo(
                    applied.get(),
                    SequenceHistory.numbersIn(sequence),
                    hits + " calls were hit by " + fault + ", " + applied
                            + " appends were applied; the numbers of the entries");
        }
    }

    private static byte[] bytesOf(Entry entry, String field) {
        return (byte[]) Objects.requireNonNull(entry.fields().get(field));
    }
}
