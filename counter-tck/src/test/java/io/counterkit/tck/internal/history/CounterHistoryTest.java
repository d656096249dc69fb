package io.counterkit.tck.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks hand-written histories of a counter. */
class CounterHistoryTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("token");

    private final List<Operation<CounterState>> history = new ArrayList<>();

    @Test
    void readsInTheOrderOfTheAdds_areLegal() {
        added(1, 2, 5, null);
        read(3, 4, 5);
        added(5, 6, -7, null);
        read(7, 8, -2);
        assertLegal();
    }

    @Test
    void readDuringAnAdd_mayShowItOrNot() {
        added(1, 6, 5, null);
        read(2, 3, 0);
        read(4, 5, 5);
        assertLegal();
    }

    @Test
    void readThatShowsAnAdd_thenOneThatDoesNot_isIllegal() {
        added(1, 6, 5, null);
        read(2, 3, 5);
        read(4, 5, 0);
        assertIllegal("read 5", "read 0");
    }

    @Test
    void staleReadAfterACompletedAdd_isIllegal() {
        added(1, 2, 5, null);
        added(3, 4, 3, null);
        read(5, 6, 8);
        added(7, 8, 2, null);
        read(9, 10, 8);
        assertIllegal("add 2", "read 8");
    }

    @Test
    void lostAdd_isIllegal() {
        added(1, 4, 5, null);
        added(2, 3, 3, null);
        read(5, 6, 3);
        assertIllegal("add 5", "read 3");
    }

    @Test
    void unknownAdd_mayTakeEffectLateOrNever() {
        unknown(1, 5, TOKEN);
        read(2, 3, 0);
        read(4, 5, 0);
        assertLegal();
        read(6, 7, 5);
        assertLegal();
    }

    @Test
    void unknownAdd_takesEffectOnlyOnce() {
        unknown(1, 5, TOKEN);
        read(2, 3, 5);
        read(4, 5, 10);
        assertIllegal("read 10");
    }

    @Test
    void unknownAddThatIsRepeated_takesEffectOnce() {
        unknown(1, 5, TOKEN);
        added(2, 3, 5, TOKEN);
        read(4, 5, 5);
        assertLegal();
        read(6, 7, 10);
        assertIllegal("read 10");
    }

    @Test
    void unknownAddThatIsRepeated_hasTakenEffectThen() {
        unknown(1, 5, TOKEN);
        added(2, 3, 5, TOKEN);
        read(4, 5, 0);
        assertIllegal("add 5", "read 0");
    }

    @Test
    void unknownAddThatIsRepeatedAfterAReset_staysReset() {
        unknown(1, 5, TOKEN);
        read(2, 3, 5);
        reset(4, 5);
        added(6, 7, 5, TOKEN);
        read(8, 9, 0);
        assertLegal();
        read(10, 11, 5);
        assertIllegal("add 5", "read 0", "read 5");
    }

    @Test
    void addThatWasResolvedAsNotApplied_andIsVisible_isIllegal() {
        unknown(1, 5, TOKEN);
        resolved(2, 3, false);
        read(4, 5, 0);
        assertLegal();
        read(6, 7, 5);
        assertIllegal("resolve not applied", "read 5");
    }

    @Test
    void addThatWasResolvedAsApplied_andIsNotVisible_isIllegal() {
        unknown(1, 5, TOKEN);
        resolved(2, 3, true);
        read(4, 5, 0);
        assertIllegal("resolve applied", "read 0");
    }

    @Test
    void addThatWasResolvedAsApplied_withoutAnAdd_isIllegal() {
        resolved(1, 2, true);
        assertIllegal("resolve applied");
    }

    @Test
    void addThatWasNotApplied_andIsVisible_isIllegal() {
        Step<CounterState> effect = add(5, null);
        history.add(Operation.applied(1, "add 5 not applied", 1, 2, before -> before, effect));
        read(3, 4, 5);
        assertIllegal("add 5 not applied", "read 5");
    }

    @Test
    void resetAtTheTimeOfAnAdd_comesBeforeOrAfterIt() {
        added(1, 2, 7, null);
        added(3, 6, 5, null);
        reset(4, 5);
        read(7, 8, 5);
        assertLegal();
        history.remove(history.size() - 1);
        read(7, 8, 0);
        assertLegal();
        history.remove(history.size() - 1);
        read(7, 8, 7);
        assertIllegal("add 7", "reset", "read 7");
    }

    @Test
    void deletedCounter_isNotListed_andOneThatIsResetIs() {
        added(1, 2, 7, null);
        reset(3, 4);
        listed(5, 6, true);
        deleted(7, 8);
        listed(9, 10, false);
        assertLegal();
        listed(11, 12, true);
        assertIllegal("is listed true", "is listed false", "is listed true");
    }

    @Test
    void resetOfAnAbsentCounter_doesNotCreateIt() {
        reset(1, 2);
        listed(3, 4, false);
        assertLegal();
        listed(5, 6, true);
        assertIllegal("is listed true");
    }

    @Test
    void unknownReset_takesEffectOnlyOnce() {
        added(1, 2, 7, null);
        unknown(3, "reset", once(CounterState::reset));
        read(4, 5, 0);
        added(6, 7, 3, null);
        read(8, 9, 3);
        assertLegal();
        read(10, 11, 0);
        assertIllegal("add 7", "read 3", "read 0");
    }

    @Test
    void unknownDeletionThatWasResolvedAsNotApplied_hasNoEffect() {
        added(1, 2, 7, null);
        unknown(3, "delete", once(CounterState::deleted));
        resolved(4, 5, false);
        listed(6, 7, true);
        read(8, 9, 7);
        assertLegal();
        listed(10, 11, false);
        assertIllegal("resolve not applied", "read 7", "is listed false");
    }

    @Test
    void unknownSeal_endsAllChangesFromItsEffectOn() {
        added(1, 2, 7, null);
        unknown(3, "seal", once(state -> state.sealed("elsewhere")));
        added(4, 5, 1, null);
        read(6, 7, 8);
        assertLegal();
        resolved(8, 9, true);
        added(10, 11, 1, null);
        assertIllegal("resolve applied", "add 1");
    }

    @Test
    void sealedCounter_isChangedByNothing() {
        CounterState sealed =
                Objects.requireNonNull(new CounterState(true, 7, TokenResolutions.NONE, null).sealed("elsewhere"));
        assertThat(sealed.seal()).isEqualTo(new Seal("elsewhere", 7, 7));
        assertThat(sealed.sealed("elsewhere")).isEqualTo(sealed);
        assertThat(sealed.sealed("somewhere else")).isNull();
        assertThat(sealed.reset()).isNull();
        assertThat(sealed.deleted()).isNull();
        assertThat(sealed.added(1)).isNull();
    }

    private static Step<CounterState> once(Function<CounterState, @Nullable CounterState> change) {
        return effect(change, TOKEN);
    }

    /** Returns a change that takes effect unless its token was decided, or the counter is sealed. */
    private static Step<CounterState> effect(
            Function<CounterState, @Nullable CounterState> change, @Nullable IdempotencyToken token) {
        return before -> {
            CounterState after = before.tokens().of(token) != null ? null : change.apply(before);
            return after == null
                    ? before
                    : after.withTokens(after.tokens().with(token, new Resolution.Done("counter")));
        };
    }

    @Test
    void manyUnknownAdds_areDecided() {
        for (int i = 0; i < 14; i++) {
            unknown(1 + i, 1L << i, IdempotencyToken.random());
        }
        read(20, 21, 0b10101010101010);
        read(22, 23, 0b11111111111111);
        assertLegal();
        read(24, 25, 0b11111111111110);
        assertThat(LinearizabilityChecker.check(CounterState.ABSENT, history, Violation.MOST_CONFIGURATIONS))
                .isEqualTo(LinearizabilityChecker.Verdict.ILLEGAL);
    }

    @Test
    void manyOverlappingAddsBetweenReads_areDecided() {
        for (int i = 0; i < 40; i++) {
            added(10L * i + 1, 10L * i + 6, 1, null);
            added(10L * i + 2, 10L * i + 7, 2, null);
            read(10L * i + 8, 10L * i + 9, 3L * i + 3);
        }
        read(401, 402, 1);
        assertThat(LinearizabilityChecker.check(CounterState.ABSENT, history, 1_000))
                .isEqualTo(LinearizabilityChecker.Verdict.ILLEGAL);
    }

    @Test
    void searchThatIsGivenUp_isUndecided() {
        for (int i = 0; i < 14; i++) {
            unknown(1 + i, 1L << i, IdempotencyToken.random());
        }
        read(20, 21, -1);
        assertThat(LinearizabilityChecker.check(CounterState.ABSENT, history, 1_000))
                .isEqualTo(LinearizabilityChecker.Verdict.UNDECIDED);
    }

    private static Step<CounterState> add(long delta, @Nullable IdempotencyToken token) {
        return effect(state -> state.added(delta), token);
    }

    private void added(long start, long end, long delta, @Nullable IdempotencyToken token) {
        Step<CounterState> effect = add(delta, token);
        Step<CounterState> answered = before -> before.isSealed() ? null : effect.after(before);
        history.add(Operation.applied(1, "add " + delta, start, end, answered, effect));
    }

    private void unknown(long start, long delta, IdempotencyToken token) {
        unknown(start, "add " + delta, add(delta, token));
    }

    private void unknown(long start, String text, Step<CounterState> effect) {
        history.add(Operation.unknown(1, text, start, effect));
    }

    private void reset(long start, long end) {
        Step<CounterState> effect = effect(CounterState::reset, null);
        history.add(Operation.applied(2, "reset", start, end, effect, effect));
    }

    private void deleted(long start, long end) {
        Step<CounterState> effect = effect(CounterState::deleted, null);
        history.add(Operation.applied(2, "delete", start, end, effect, effect));
    }

    private void listed(long start, long end, boolean isListed) {
        history.add(Operation.observation(
                2, "is listed " + isListed, start, end, state -> state.isPresent() == isListed ? state : null));
    }

    private void read(long start, long end, long total) {
        history.add(
                Operation.observation(2, "read " + total, start, end, state -> state.total() == total ? state : null));
    }

    private void resolved(long start, long end, boolean isApplied) {
        Step<CounterState> effect = before -> before.tokens().isApplied(TOKEN)
                ? before
                : before.withTokens(before.tokens().with(TOKEN, new Resolution.NotApplied()));
        history.add(
                isApplied
                        ? Operation.observation(
                                3,
                                "resolve applied",
                                start,
                                end,
                                state -> state.tokens().isApplied(TOKEN) ? state : null)
                        : Operation.applied(
                                3,
                                "resolve not applied",
                                start,
                                end,
                                before -> before.tokens().isApplied(TOKEN) ? null : effect.after(before),
                                effect));
    }

    private void assertLegal() {
        assertThat(Violation.find(CounterState.ABSENT, history)).isNull();
    }

    /** Checks that the history is illegal and that these answers contradict each other. */
    private void assertIllegal(String... contradiction) {
        Violation<CounterState> violation = Objects.requireNonNull(Violation.find(CounterState.ABSENT, history));
        assertThat(violation.contradiction()).extracting(Operation::text).containsExactly(contradiction);
        assertThat(violation.toString()).contains(contradiction);
    }
}
