package io.counterkit.tck.internal.view;

import io.counterkit.Entry;
import io.counterkit.NamedReading;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.Timers;
import io.counterkit.tck.internal.model.ListedNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A kind of read of several names that returns one number: for example how many of them are present, or the sum of
 * their totals.
 *
 * @param label names the read in messages
 * @param needs the capabilities that the read needs
 * @param isList whether the read may lag
 * @param of reads the number
 */
record ViewRead(String label, Set<Capability> needs, boolean isList, Shown of) {
    /** The only subject of each sequence. */
    static final String SUBJECT = "s";

    private static final int PAGE = 100;

    /** How long a ranking may show totals from before the call, in nanoseconds. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Timers TIMERS = Timers.named("counterkit-tck-read");

    /** Reads the number. */
    interface Shown {
        CompletableFuture<Long> in(CounterBackend process, Names names, Commit call);
    }

    /**
     * The names.
     *
     * @param prefix that of all of them, and of no other name
     */
    record Names(String prefix, List<String> all) {}

    /** Reads the number of one name. */
    private interface ShownOfOne {
        CompletableFuture<Long> in(CounterBackend process, String name, Commit call);
    }

    static final ViewRead TOTALS = totals("a read of all totals", Duration.ZERO);

    /** A read with a staleness bound that is shorter than the time since the last change. */
    static final ViewRead RECENT_TOTALS =
            totals("a read of all totals with a staleness bound of 1 ns", Duration.ofNanos(1));

    private static ViewRead totals(String label, Duration maxStaleness) {
        return new ViewRead(
                label,
                Set.of(),
                false,
                (process, names, call) -> process.counters()
                        .read(names.all(), maxStaleness, call)
                        .thenApply(totals -> totals.stream()
                                .map(Result::orThrow)
                                .mapToLong(Reading::value)
                                .sum()));
    }

    static final ViewRead COUNTERS = list("the list of counters", Kind.COUNTER);

    static final ViewRead LARGEST = new ViewRead(
            "the list of the largest counters",
            Set.of(Capability.TOP),
            true,
            (process, names, call) ->
                    process.counters().top(names.prefix(), PAGE, call).thenApply(largest -> (long) largest.size()));

    static final ViewRead TOTALS_OF_LARGEST = new ViewRead(
            "the totals of the largest counters",
            Set.of(Capability.TOP),
            true,
            (process, names, call) -> recentLargest(process, names, call, System.nanoTime())
                    .thenApply(largest -> largest.stream()
                            .mapToLong(named -> named.reading().value())
                            .sum()));

    /**
     * Lists the largest counters until no reading is older than the first call, as far as the readings state their age.
     * Returns the last list after {@link #LONGEST}.
     */
    private static CompletableFuture<List<NamedReading>> recentLargest(
            CounterBackend process, Names names, Call call, long start) {
        return process.counters().top(names.prefix(), PAGE, call).thenCompose(largest -> {
            long passed = System.nanoTime() - start;
            boolean isRecent = largest.stream()
                    .allMatch(named -> named.reading().staleness().compareTo(Duration.ofNanos(passed)) <= 0);
            return isRecent || passed > LONGEST
                    ? CompletableFuture.completedFuture(largest)
                    : TIMERS.after(PAUSE).thenCompose(later -> recentLargest(process, names, call, start));
        });
    }

    static final ViewRead SEQUENCES = list("the list of sequences", Kind.SEQUENCE);

    static final ViewRead TAILS = each(
            "reads of all tails",
            Set.of(),
            (process, name, call) -> process.sequences().tail(name, call).thenApply(Tail::last));

    static final ViewRead ENTRIES = each(
            "reads of all entries",
            Set.of(),
            (process, name, call) -> process.sequences()
                    .read(name, new NumberRange(1, PAGE), call)
                    .thenApply(entries -> (long) entries.size()));

    /** A read of ranges that counts erased entries. */
    static final ViewRead ERASED = each(
            "reads of all entries, where only erased ones count",
            Set.of(),
            (process, name, call) -> process.sequences()
                    .read(name, new NumberRange(1, PAGE), call)
                    .thenApply(entries ->
                            entries.stream().filter(ViewRead::isErased).count()));

    /** Repeated appends, which return their entries, and count erased ones. */
    static final ViewRead ERASED_BY_TOKENS = each(
            "repeated appends, where only returned entries that are erased count",
            Set.of(),
            (process, name, call) -> process.sequences()
                    .append(name, List.of(ViewChange.appended(name)), call)
                    .thenApply(results -> isErased(results.get(0).orThrow()) ? 1L : 0L));

    private static boolean isErased(Entry entry) {
        return entry.erased() && entry.fields().isEmpty();
    }

    static final ViewRead SUBJECTS = each(
            "reads of all subjects",
            Set.of(Capability.IMPORT),
            (process, name, call) -> process.migration()
                    .subject(name, SUBJECT, call)
                    .thenApply(isLive -> isLive.orElse(false) ? 1L : 0L));

    /** Returns the read of how many names are present in their states. */
    static ViewRead present(Kind kind) {
        return states(kind, "present", NameState::isPresent);
    }

    /** Returns the read of how many names are sealed in their states. */
    static ViewRead sealed(Kind kind) {
        return states(kind, "sealed", state -> state.seal() != null);
    }

    private static ViewRead states(Kind kind, String what, Predicate<NameState> isCounted) {
        return new ViewRead(
                "a read of all states, where only names that are " + what + " count",
                Set.of(Capability.IMPORT),
                false,
                (process, names, call) -> process.migration()
                        .states(kind, names.all(), call)
                        .thenApply(states -> states.stream().filter(isCounted).count()));
    }

    /** Returns the read of how many names were imported. */
    static ViewRead imported(Kind kind) {
        return new ViewRead(
                "a read of all imported states",
                Set.of(Capability.IMPORT),
                false,
                (process, names, call) -> process.migration()
                        .bases(kind, names.all(), call)
                        .thenApply(bases ->
                                bases.stream().filter(Optional::isPresent).count()));
    }

    private static ViewRead list(String label, Kind kind) {
        return new ViewRead(
                label,
                Set.of(),
                true,
                (process, names, call) -> CompletableFuture.completedFuture(
                        (long) ListedNames.of(process, kind, names.prefix(), () -> call)
                                .size()));
    }

    /** Reads one name after the other. */
    private static ViewRead each(String label, Set<Capability> needs, ShownOfOne of) {
        return new ViewRead(label, needs, false, (process, names, call) -> {
            CompletableFuture<Long> sum = CompletableFuture.completedFuture(0L);
            for (String name : names.all()) {
                sum = sum.thenCompose(before -> of.in(process, name, call).thenApply(number -> before + number));
            }
            return sum;
        });
    }
}
