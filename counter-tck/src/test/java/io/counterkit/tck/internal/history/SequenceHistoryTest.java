package io.counterkit.tck.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks hand-written histories of a sequence. */
class SequenceHistoryTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("token");

    private final List<Operation<SequenceState>> history = new ArrayList<>();

    @Test
    void numbersInTheOrderOfTheAppends_areLegal() {
        appended(1, 4, "a", 2);
        appended(2, 3, "b", 1);
        entries(5, 6, "b", "a");
        assertLegal();
    }

    @Test
    void gap_isIllegal() {
        appended(1, 2, "a", 1);
        appended(3, 4, "b", 3);
        assertIllegal("append b -> 3");
    }

    @Test
    void gapThatAnUnknownAppendFills_isLegal() {
        appended(1, 2, "a", 1);
        unknown(3, "c", TOKEN);
        appended(4, 5, "b", 3);
        entries(6, 7, "a", "c", "b");
        assertLegal();
    }

    @Test
    void numberTwice_isIllegal() {
        appended(1, 4, "a", 1);
        appended(2, 3, "b", 1);
        assertIllegal("append a -> 1", "append b -> 1");
    }

    @Test
    void laterAppendWithALowerNumber_isIllegal() {
        appended(1, 2, "a", 2);
        appended(3, 4, "b", 1);
        assertIllegal("append a -> 2");
    }

    @Test
    void unknownAppend_mayTakeEffectLate() {
        unknown(1, "a", TOKEN);
        entries(2, 3);
        appended(4, 5, "b", 1);
        entries(6, 7, "b", "a");
        assertLegal();
    }

    @Test
    void unknownAppendThatTakesEffectTwice_isIllegal() {
        unknown(1, "a", TOKEN);
        entries(2, 3, "a", "a");
        assertIllegal("entries [a, a]");
    }

    @Test
    void entryThatIsMissingInALaterRead_isIllegal() {
        appended(1, 2, "a", 1);
        appended(3, 8, "b", 2);
        entries(4, 5, "a", "b");
        entries(6, 7, "a");
        assertIllegal("entries [a, b]", "entries [a]");
    }

    @Test
    void readThatReturnsAnEntryTwice_orInAnotherOrder_isIllegal() {
        SequenceState two = SequenceState.EMPTY;
        two = Objects.requireNonNull(two.appended(Change.ADDED, null, "a"));
        two = Objects.requireNonNull(two.appended(Change.ADDED, null, "b"));
        Entry a = entry(1, "a");
        Entry b = entry(2, "b");
        assertThat(two.holds(1, 9, List.of(a, b))).isTrue();
        assertThat(two.holds(2, 9, List.of(b))).isTrue();
        assertThat(two.holds(3, 9, List.of())).isTrue();
        assertThat(two.holds(1, 9, List.of(a, a))).isFalse();
        assertThat(two.holds(1, 9, List.of(b, a))).isFalse();
        assertThat(two.holds(1, 1, List.of(b))).isFalse();
        assertThat(two.holds(1, 1, List.of(a, b))).isFalse();
    }

    private static Entry entry(long number, String value) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of(SequenceState.FIELD, value), number, false);
    }

    @Test
    void entryThatIsRestoredAfterItWasErased_isIllegal() {
        appended(1, 2, "a", 1);
        history.add(Operation.applied(
                1, "erase", 3, 4, before -> before.erased(1), SequenceHistoryTest::withoutFieldsOfTheFirst));
        entries(5, 6, "a");
        assertIllegal("erase", "entries [a]");
    }

    @Test
    void readThatShowsAnErasureAndNotTheAppendBeforeIt_isLegal() {
        appended(1, 2, "a", 1);
        appended(4, 5, "b", 2);
        history.add(Operation.applied(
                1, "erase", 6, 7, before -> before.erased(1), SequenceHistoryTest::withoutFieldsOfTheFirst));
        Entry erased = new Entry(1, Instant.EPOCH, Change.ADDED, null, Map.of(), 1, true);
        String[] values = {"erased"};
        observe(values, 3, 8, state -> state.holds(1, 9, List.of(erased)));
        observe(values, 3, 8, state -> state.hasErased(List.of(erased)));
        observe(values, 3, 8, state -> state.hasKept(List.of(erased)));
        assertLegal();
    }

    private static SequenceState withoutFieldsOfTheFirst(SequenceState before) {
        return Objects.requireNonNullElse(before.erased(1), before);
    }

    private static Step<SequenceState> append(String value, @Nullable IdempotencyToken token) {
        return before -> {
            SequenceState after = before.tokens().isApplied(token) ? null : before.appended(Change.ADDED, null, value);
            return after == null
                    ? before
                    : after.withTokens(after.tokens().with(token, new Resolution.Appended("sequence", after.last())));
        };
    }

    private void appended(long start, long end, String value, long number) {
        Step<SequenceState> effect = append(value, null);
        history.add(Operation.applied(
                1,
                "append " + value + " -> " + number,
                start,
                end,
                before -> before.last() + 1 == number ? effect.after(before) : null,
                effect));
    }

    private void unknown(long start, String value, IdempotencyToken token) {
        history.add(Operation.unknown(1, "append " + value, start, append(value, token)));
    }

    private void entries(long start, long end, String... values) {
        List<Entry> entries = Stream.iterate(1, number -> number + 1)
                .limit(values.length)
                .map(number -> entry(number, values[number - 1]))
                .toList();
        observe(values, start, end, state -> state.holds(1, 9, entries));
        observe(values, start, end, state -> state.hasErased(entries));
        observe(values, start, end, state -> state.hasKept(entries));
    }

    private void observe(String[] values, long start, long end, Predicate<SequenceState> isRight) {
        history.add(Operation.observation(
                2, "entries " + List.of(values), start, end, state -> isRight.test(state) ? state : null));
    }

    private void assertLegal() {
        assertThat(Violation.find(SequenceState.EMPTY, history)).isNull();
    }

    /** Checks that the history is illegal and that these answers contradict each other. */
    private void assertIllegal(String... contradiction) {
        Violation<SequenceState> violation = Objects.requireNonNull(Violation.find(SequenceState.EMPTY, history));
        assertThat(violation.contradiction()).extracting(Operation::text).containsExactly(contradiction);
        assertThat(violation.toString()).contains(contradiction);
    }
}
