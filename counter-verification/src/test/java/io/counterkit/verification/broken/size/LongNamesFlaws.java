package io.counterkit.verification.broken.size;

import io.counterkit.NamedReading;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Chapters 2, 3 and 13, continued: calls for many names that are long. */
public final class LongNamesFlaws {
    private static final int LARGE = 64 * 1024;
    private static final int MOST_STATES = 500;

    private LongNamesFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("fails to read more than 64 KiB of names", "2.7").counters(ReadsFewBytes::new),
                Flaw.that("cuts the largest counters after 64 KiB of names", "3.17")
                        .counters(RanksFewBytes::new),
                Flaw.that("returns the states of no more than 500 names", "13.12")
                        .migration(ReturnsFewStates::new),
                Flaw.that("fails to look for more than 64 KiB of names among the imported ones", "13.12")
                        .migration(LooksForFewBytes::new));
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean isTooLarge(List<String> names) {
        return names.stream().mapToInt(LongNamesFlaws::bytes).sum() > LARGE;
    }

    private static <T> CompletableFuture<T> tooLarge() {
        return CompletableFuture.failedFuture(new NotAppliedException("the statement is too large"));
    }

    private static final class ReadsFewBytes extends ForwardingCounterStore {
        ReadsFewBytes(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return isTooLarge(names) ? tooLarge() : store.read(names, maxStaleness, call);
        }
    }

    private static final class RanksFewBytes extends ForwardingCounterStore {
        RanksFewBytes(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, limit, call).thenApply(top -> {
                List<NamedReading> page = new ArrayList<>();
                int room = LARGE;
                for (NamedReading named : top) {
                    room -= bytes(named.name());
                    if (room >= 0) {
                        page.add(named);
                    }
                }
                return page;
            });
        }
    }

    private static final class ReturnsFewStates extends ForwardingMigrationStore {
        ReturnsFewStates(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
            return store.states(kind, names.subList(0, Math.min(MOST_STATES, names.size())), call);
        }
    }

    private static final class LooksForFewBytes extends ForwardingMigrationStore {
        LooksForFewBytes(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Optional<ImportedState>>> bases(Kind kind, List<String> names, Call call) {
            return isTooLarge(names) ? tooLarge() : store.bases(kind, names, call);
        }
    }
}
