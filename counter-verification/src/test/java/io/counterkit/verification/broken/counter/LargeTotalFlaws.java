package io.counterkit.verification.broken.counter;

import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Gap;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Chapters 6 and 14: totals of some sizes only. */
public final class LargeTotalFlaws {
    private LargeTotalFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                signed(16),
                signed(40),
                signed(48),
                Flaw.that("resets a total beyond the largest delta in two steps", "14.1")
                        .counters(ResetsInSteps::new));
    }

    /** Returns a flaw that takes totals of so many bits for negative ones. */
    private static Flaw signed(int bits) {
        return Flaw.that("reads totals that need " + bits + " bits as negative ones", "6.1")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals("CounterStore.read")
                                ? call.<List<Result<Reading>>>passOn()
                                        .thenApply(totals -> totals.stream()
                                                .map(total -> signed(total, bits))
                                                .toList())
                                : call.pass()));
    }

    private static Result<Reading> signed(Result<Reading> total, int bits) {
        if (!total.isApplied() || total.orThrow().value() >> (bits - 1) != 1) {
            return total;
        }
        Reading reading = total.orThrow();
        return Result.of(new Reading(reading.value() - (1L << bits), reading.asOf(), reading.staleness()));
    }

    /** Subtracts the largest delta first, since one add cannot subtract more. */
    private static final class ResetsInSteps extends ForwardingCounterStore {
        private final Gap gap = new Gap();

        ResetsInSteps(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.read(List.of(name), Duration.ZERO, Commits.own()).thenCompose(totals -> {
                Result<Reading> total = totals.get(0);
                if (!total.isApplied() || total.orThrow().value() <= Limits.MAX_DELTA) {
                    return store.reset(name, commit);
                }
                return store.add(List.of(new AddRequest(name, -Limits.MAX_DELTA, null)), Commits.own())
                        .thenCompose(first -> {
                            gap.meet();
                            return store.reset(name, commit);
                        });
            });
        }
    }
}
