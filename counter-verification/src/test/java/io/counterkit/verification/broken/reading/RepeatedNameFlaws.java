package io.counterkit.verification.broken.reading;

import io.counterkit.CounterOverflowException;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Chapter 3, continued: reads of many totals in which a name is given more than once, or which have a staleness bound.
 */
final class RepeatedNameFlaws {
    private static final int PART = 100;

    private RepeatedNameFlaws() {}

    static List<Flaw> all() {
        return List.of(
                flaw(
                        "reads 0 for a name that is given twice in a row",
                        "3.6",
                        (place, names, allowed, result) ->
                                place > 0 && names.get(place).equals(names.get(place - 1)) ? zero() : result),
                flaw(
                        "reads 0 for a name that is given again in a read with a staleness bound",
                        "3.6",
                        (place, names, allowed, result) ->
                                !allowed.isZero() && names.indexOf(names.get(place)) < place ? zero() : result),
                flaw(
                        "reads 0 for a total out of range that is given again",
                        "3.7",
                        (place, names, allowed, result) -> result.failure() instanceof CounterOverflowException
                                        && names.indexOf(names.get(place)) < place
                                ? zero()
                                : result),
                flaw(
                        "reads 0 for totals out of range if a read of many has a staleness bound",
                        "3.7",
                        (place, names, allowed, result) -> !allowed.isZero()
                                        && names.size() > 1
                                        && result.failure() instanceof CounterOverflowException
                                ? zero()
                                : result),
                flaw(
                        "reads no more than 100 totals with a staleness bound",
                        "2.7",
                        (place, names, allowed, result) -> place < PART || allowed.isZero() ? result : zero()),
                flaw(
                        "returns 1970 as the time of all but the first of many totals",
                        "3.5",
                        (place, names, allowed, result) -> place == 0 || !result.isApplied()
                                ? result
                                : Result.of(new Reading(
                                        result.orThrow().value(),
                                        Instant.EPOCH,
                                        result.orThrow().staleness()))),
                flaw(
                        "states an age of all but the first of many totals in a strong read",
                        "3.5",
                        (place, names, allowed, result) -> place == 0 || !allowed.isZero() || !result.isApplied()
                                ? result
                                : Result.of(new Reading(
                                        result.orThrow().value(),
                                        result.orThrow().asOf(),
                                        Duration.ofSeconds(1)))),
                flaw(
                        "returns 1970 as the time of many totals that are read with a staleness bound",
                        "3.21",
                        (place, names, allowed, result) -> allowed.isZero() || names.size() == 1
                                ? result
                                : Result.of(new Reading(
                                        result.orThrow().value(),
                                        Instant.EPOCH,
                                        result.orThrow().staleness()))));
    }

    /** Returns what a backend returns for one of several names. */
    private interface Returned {
        Result<Reading> at(int place, List<String> names, Duration allowed, Result<Reading> result);
    }

    private static Flaw flaw(String does, String breaks, Returned returned) {
        return Flaw.that(does, breaks).counters(store -> new Returns(store, returned));
    }

    private static Result<Reading> zero() {
        return Result.of(new Reading(0, Instant.now(), Duration.ZERO));
    }

    private static final class Returns extends ForwardingCounterStore {
        private final Returned returned;

        Returns(CounterStore store, Returned returned) {
            super(store);
            this.returned = returned;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call).thenApply(results -> {
                List<Result<Reading>> changed = new ArrayList<>();
                for (int place = 0; place < names.size(); place++) {
                    changed.add(returned.at(place, names, maxStaleness, results.get(place)));
                }
                return changed;
            });
        }
    }
}
