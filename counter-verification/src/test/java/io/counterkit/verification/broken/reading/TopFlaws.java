package io.counterkit.verification.broken.reading;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamedReading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Chapter 3, continued: the largest totals. */
public final class TopFlaws {
    private TopFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                top(
                        "lists only totals above zero among the largest",
                        top -> top.stream()
                                .filter(named -> named.reading().value() > 0)
                                .toList()),
                top(
                        "ignores case in the order of equal totals",
                        top -> top.stream()
                                .sorted(Comparator.comparingLong((NamedReading named) ->
                                                -named.reading().value())
                                        .thenComparing(named -> named.name().toLowerCase(Locale.ROOT)))
                                .toList()),
                top(
                        "orders the largest totals in floating point",
                        top -> top.stream()
                                .sorted(Comparator.comparingDouble((NamedReading named) ->
                                                -(double) named.reading().value())
                                        .thenComparing(Comparator.comparing(NamedReading::name)
                                                .reversed()))
                                .toList()),
                Flaw.that("omits totals out of range from the largest", "3.16").counters(LeavesOverflownOut::new));
    }

    private static Flaw top(String does, Function<List<NamedReading>, List<NamedReading>> change) {
        return Flaw.that(does, "3.16").counters(store -> new ForwardingCounterStore(store) {
            @Override
            public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
                return store.top(prefix, limit, call).thenApply(change);
            }
        });
    }

    private static final class LeavesOverflownOut extends ForwardingCounterStore {
        LeavesOverflownOut(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return Futures.recover(
                    store.top(prefix, limit, call),
                    CounterOverflowException.class,
                    overflown -> Futures.done(List.of()));
        }
    }
}
