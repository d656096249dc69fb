package io.counterkit.verification.broken.reading;

import io.counterkit.NamedReading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Chapter 3, continued: rankings whose order or failure comes from something else. */
public final class TieFlaws {
    private static final int ALL = 1_000_000;

    private static final Comparator<NamedReading> LARGEST_FIRST = Comparator.comparingLong(
                    (NamedReading named) -> named.reading().value())
            .reversed();

    private TieFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("chooses among equal totals by bytes, and orders them by characters", "3.16")
                        .counters(ChoosesByBytes::new),
                Flaw.that("fails to rank because of a total out of range under another prefix", "3.16")
                        .counters(RanksAll::new));
    }

    /** Cuts the list in the store, which orders names by their bytes, and sorts the rest in the process. */
    private static final class ChoosesByBytes extends ForwardingCounterStore {
        ChoosesByBytes(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, ALL, call)
                    .thenApply(all -> all.stream()
                            .sorted(LARGEST_FIRST.thenComparing(
                                    named -> named.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
                            .limit(limit)
                            .sorted(LARGEST_FIRST.thenComparing(NamedReading::name))
                            .toList());
        }
    }

    private static final class RanksAll extends ForwardingCounterStore {
        RanksAll(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top("", 1, call).thenCompose(largest -> store.top(prefix, limit, call));
        }
    }
}
