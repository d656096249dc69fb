package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.SealIgnoringWriter;
import io.counterkit.migration.internal.routing.Mutant;
import io.counterkit.migration.internal.routing.Mutants;
import io.counterkit.migration.internal.routing.StorePair;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a name moves, and what old processes see. */
class MigratingBackendTest extends MigratingSetup {
    @Test
    void oldProcessIsRefusedWithTheTargetAndLosesNothing() {
        IdempotencyToken token = IdempotencyToken.random();
        old.counter(name).add(5, token);
        old.sequence(name).next();
        counters.counter(name).add(2);
        counters.sequence(name).next();
        for (Runnable change : List.<Runnable>of(
                old.counter(name)::increment,
                old.counter(name)::reset,
                old.counter(name)::delete,
                old.sequence(name)::next)) {
            assertThatExceptionOfType(SealedException.class)
                    .isThrownBy(change::run)
                    .withMessageContaining("continues at 'new'");
        }
        old.counter(name).add(5, token);
        assertThat(old.counter(name).get()).isEqualTo(5);
        assertThat(counters.counter(name).get()).isEqualTo(7);
        assertThat(counters.sequence(name).last()).isEqualTo(2);
    }

    @Test
    void atZeroPercentOnlyExplicitMovesHappen() {
        rollout.set(0);
        counters.counter(name).add(5);
        counters.sequence(name).next();
        assertThat(target.dump().counters()).isEmpty();
        assertThat(old.sequence(name).tail()).isEqualTo(new Tail(1, 1, null));
        assertThat(backend.move(Kind.COUNTER, name, call).join()).isEqualTo(new ImportedState("old", true, 5, 0));
        assertThat(backend.move(Kind.COUNTER, name, call).join()).isEqualTo(new ImportedState("old", true, 5, 0));
        counters.counter(name).add(1);
        assertThat(target.dump().counters()).containsEntry(name, 6L);
        assertThat(old.counter(name).get()).isEqualTo(5);
    }

    @Test
    void loweringThePercentageStopsFurtherMovesAndMovesNothingBack() {
        counters.counter(name).add(5);
        rollout.set(0);
        counters.counter(name).add(1);
        Counters.over(connect()).counter(name).add(1);
        String later = name + "/later";
        counters.counter(later).add(3);
        assertThat(target.dump().counters()).containsOnly(Map.entry(name, 7L));
        assertThat(source.dump().counters()).containsOnly(Map.entry(later, 3L));
        assertThat(counters.counter(name).get()).isEqualTo(7);
    }

    @Test
    void readingMovesAndCreatesNothing() {
        old.counter(name).add(5);
        old.sequence(name).next();
        Counters.over(connect()).counter(name + "/absent").get();
        Counters.over(connect()).sequence(name + "/absent").tail();
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.counter(name).read(Duration.ofMinutes(1)).value()).isEqualTo(5);
        assertThat(counters.sequence(name).read(1, 9)).hasSize(1);
        assertThat(counters.sequence(name).last()).isOne();
        assertThat(calls).noneMatch(what -> what.contains("seal") || what.contains("import"));
        assertThat(counters.counterNames("").names()).containsExactly(name);
        assertThat(counters.sequenceNames("").names()).containsExactly(name);
    }

    @Test
    void sealedNameIsCompletedByAnyProcessBeforeItsTurn() {
        rollout.set(0);
        old.counter(name).add(5);
        old.counter(name).seal("new");
        old.sequence(name).seal("new");
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.sequence(name).next()).isOne();
        assertThat(backend.statuses(Kind.COUNTER, List.of(name), call)
                        .join()
                        .get(0)
                        .isMoved())
                .isTrue();
        assertThat(backend.statuses(Kind.COUNTER, List.of(name + "/other"), call)
                        .join()
                        .get(0)
                        .isMoved())
                .isFalse();
    }

    @Test
    void nameSealedWithAnotherAddressIsNotMoved() {
        IdempotencyToken token = IdempotencyToken.random();
        old.counter(name).add(5, token);
        Seal seal = old.counter(name).seal("somewhere else");
        old.sequence(name).next();
        old.sequence(name).seal("somewhere else");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> join(backend.move(Kind.COUNTER, name, call)))
                .satisfies(refused -> assertThat(refused.seal()).isEqualTo(seal))
                .withMessageContaining("somewhere else");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessageContaining("somewhere else");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(counters.sequence(name)::next)
                .withMessageContaining("somewhere else");
        counters.counter(name).add(5, token);
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.sequence(name).tail().seal()).isNotNull();
        assertThat(counters.counterNames("").names()).containsExactly(name);
        assertThat(target.dump().counters()).isEmpty();
    }

    @Test
    void targetThatHoldsTheNameIsDetectedBeforeTheSeal() {
        old.counter(name).add(5);
        Counters.over(InMemoryBackend.over(target)).counter(name).add(1);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessageContaining("the target holds something");
        old.counter(name).increment();
        assertThat(counters.counter(name).get()).isEqualTo(6);
        assertThat(counters.counterNames("").names()).containsExactly(name);
    }

    @Test
    void importFromAnotherOriginIsNotTakenForOurs() {
        sealAt5AndImport(new ImportedState("another", true, 9, 0));
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessage(
                        "move of '" + name + "': the target was imported from 'another', not from 'old'; the source was"
                                + " sealed at total 5, and the target began at 9. The names of source and target must be the same"
                                + " in every process; if they are, one of the stores was changed by other means");
        assertThatExceptionOfType(NotAppliedException.class).isThrownBy(counters.counter(name)::get);
    }

    /** Seals the counter in the old store, and imports another state into the new one. */
    private void sealAt5AndImport(ImportedState base) {
        InMemoryBackend.over(target)
                .migration()
                .importBase(Kind.COUNTER, name, base, call)
                .join();
        old.counter(name).add(5);
        old.counter(name).seal("new");
    }

    @Test
    void importOfACounterWithALastNumberIsNotTakenForOurs() {
        sealAt5AndImport(new ImportedState("old", true, 5, 3));
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessageContaining("the source was sealed at last number 0, and the target began at 3");
    }

    @Test
    void writerThatIgnoresSealsIsDetectedBeforeTheImport() {
        old.counter(name).increment();
        for (Kind kind : Kind.values()) {
            CounterBackend passed =
                    new ConnectedBackend("source", InMemoryBackend.over(source), new SealIgnoringWriter());
            StorePair pair = new StorePair(passed, InMemoryBackend.over(target), options(), System::nanoTime);
            MigratingBackend right = MutantBackend.of(pair, Mutant.NONE);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> join(right.move(kind, name, call)))
                    .withMessageContaining("a writer that ignores seals");
            assertThat(InMemoryBackend.over(target)
                            .migration()
                            .bases(kind, List.of(name), call)
                            .join()
                            .get(0))
                    .isEmpty();
            MigratingBackend wrong = MutantBackend.of(pair, Mutants.DOES_NOT_CHECK_THE_SOURCE);
            assertThat(join(wrong.move(kind, name, call)).value()).isEqualTo(kind == Kind.COUNTER ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "name/1", "u", "S1"})
    void cursorOfAnotherStore_isRefused(String cursor) {
        counters.counter(name).add(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counters.counterNames("", cursor, 10))
                .withMessage("cursor '" + cursor + "' is not from a page of names: use the cursor of the previous"
                        + " page, or null for the first page");
        assertThatIllegalArgumentException().isThrownBy(() -> counters.sequenceNames("", cursor, 10));
    }
}
