package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Chapter 2: adding. */
public abstract class AddingChapter extends Chapter {
    private static final int MANY_WITH_TOKENS = 40;
    private static final int FEW_WITH_TOKENS = 10;

    @Test
    @Rule(value = "2.1", lookAt = "how negative deltas and 0 are sent to the store")
    final void spec201_totalIsTheSumOfTheDeltas() {
        Counter counter = counter();
        for (long delta : List.of(5L, -7L, 0L, 1L, Limits.MAX_DELTA, -Limits.MAX_DELTA, 40L)) {
            counter.add(delta);
        }
        counter.increment();
        assertTotalElsewhere(counter, 40);
    }

    @Test
    @Rule(value = "2.2", lookAt = "the API layer: it checks deltas before they reach the backend")
    final void spec202_deltaOutOfBoundsIsRefused() {
        Counter counter = counter();
        for (long delta : List.of(Limits.MAX_DELTA + 1, -Limits.MAX_DELTA - 1, Long.MAX_VALUE, Long.MIN_VALUE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> counter.add(delta))
                    .withMessageContaining(Long.toString(delta));
        }
        assertTotal(counter, 0);
    }

    @Test
    @Rule(
            value = "2.3",
            lookAt = "what is written for several adds in one commit, also with tokens; range checks on merged deltas")
    final void spec203_concurrentAddsAreExact() {
        Counter counter = counter();
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            adds.add(counter.async().add(i % 2 == 0 ? Limits.MAX_DELTA : -Limits.MAX_DELTA));
            adds.add(counter.async().add(i));
        }
        adds.forEach(CompletableFuture::join);
        assertTotalElsewhere(counter, 199 * 200 / 2);
        Counter another = counter();
        int many = size(MANY_WITH_TOKENS, FEW_WITH_TOKENS);
        long total = addWithTokens(another, many, Limits.MAX_DELTA);
        assertThat(elsewhere(another).get())
                .as("the total of %s adds of the largest delta and as many of 1, all with tokens", many)
                .isEqualTo(total);
        total += addWithTokens(another, many, -Limits.MAX_DELTA);
        assertTotalElsewhere(another, total);
    }

    /**
     * Makes {@code many} adds of a delta and as many of 1, with tokens, so that they are not merged. Returns their sum.
     */
    private static long addWithTokens(Counter counter, int many, long delta) {
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            adds.add(counter.async().add(delta, IdempotencyToken.random()));
            adds.add(counter.async().add(1, IdempotencyToken.random()));
        }
        adds.forEach(CompletableFuture::join);
        return many * (delta + 1);
    }

    @Test
    @Rule(value = "2.4", lookAt = "a batch that holds several counters")
    final void spec204_concurrentAddsToSeveralCountersAreExact() {
        List<Counter> counters = List.of(counter(), counter(), counter(), counter(), counter());
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Counter counter = counters.get(i % counters.size());
            adds.add(
                    i % 3 == 0
                            ? counter.async().add(i, IdempotencyToken.random())
                            : counter.async().add(i));
        }
        adds.forEach(CompletableFuture::join);
        for (int c = 0; c < counters.size(); c++) {
            long expected = 0;
            for (int i = c; i < 100; i += counters.size()) {
                expected += i;
            }
            assertThat(elsewhere(counters.get(c)).get())
                    .as("the total in another process")
                    .isEqualTo(expected);
        }
    }

    @Test
    @Rule(value = "2.5", lookAt = "how a batch continues when one of its tokens was used before")
    final void spec205_badRequestFailsAlone() {
        Counter counter = counter();
        IdempotencyToken used = IdempotencyToken.random();
        counter.add(1, used);
        List<Result<Void>> results = addAtOnce(
                new AddRequest(counter.name(), 10, IdempotencyToken.random()),
                new AddRequest(counter.name(), 999, used),
                new AddRequest(counter.name(), 100, null));
        assertThat(results.get(0)).isEqualTo(Result.applied());
        assertThat(results.get(1).failure())
                .as("the failure of the request whose token was used for another delta")
                .isNotNull()
                .isInstanceOf(TokenRefusedException.class);
        assertThat(results.get(2)).isEqualTo(Result.applied());
        assertTotalElsewhere(counter, 111);
        if (declares(Capability.SEAL_COUNTERS)) {
            sealedCounterFailsAlone();
        }
    }

    /** Sends adds in one batch. */
    private List<Result<Void>> addAtOnce(AddRequest... requests) {
        try (CounterBackend backend = backend()) {
            return Batches.add(backend.counters(), List.of(requests), this::commit);
        }
    }

    private void sealedCounterFailsAlone() {
        Counter sealed = counter();
        sealed.seal("elsewhere");
        List<Counter> open = List.of(counter(), counter());
        try (CounterBackend backend = backend()) {
            if (backend.counters().limits().onePerName()) {
                return; // such a backend never receives several counters in one batch
            }
            List<Result<Void>> results = Batches.add(
                    backend.counters(),
                    List.of(
                            new AddRequest(open.get(0).name(), 10, null),
                            new AddRequest(sealed.name(), 10, null),
                            new AddRequest(open.get(1).name(), 10, null)),
                    this::commit);
            assertThat(results.get(0).isApplied()).isTrue();
            assertThat(results.get(1).failure()).isInstanceOf(SealedException.class);
            assertThat(results.get(2).isApplied()).isTrue();
        }
        assertThat(open).extracting(Counter::get).containsExactly(10L, 10L);
    }

    @Test
    @Rule(value = "2.6", lookAt = "how a batch continues when one of its tokens was applied before")
    final void spec206_requestAppliedBeforeDoesNotStopItsNeighbours() {
        Counter counter = counter();
        IdempotencyToken used = IdempotencyToken.random();
        counter.add(1, used);
        List<Result<Void>> results = addAtOnce(
                new AddRequest(counter.name(), 100, null),
                new AddRequest(counter.name(), 1, used),
                new AddRequest(counter.name(), 10, IdempotencyToken.random()));
        assertThat(results).containsOnly(Result.applied());
        assertTotalElsewhere(counter, 111);
    }
}
