package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore.FastPath;
import io.counterkit.spi.Durations;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The expected state of several names. Compares the results of reads with it. */
final class StoreModel {
    private static final Set<Capability> MIGRATING =
            Set.of(Capability.IMPORT, Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES);

    /** A staleness bound that is shorter than the time since the last change. */
    private static final Duration JUST_NOW = Duration.ofNanos(1);

    /** A bound that is longer than the kit runs. */
    private static final Duration LONG_AGO = Duration.ofMinutes(10);

    final List<String> names;
    final Map<IdempotencyToken, Resolution> tokens = new LinkedHashMap<>();
    private final Map<String, CounterModel> counters = new HashMap<>();
    private final Map<String, SequenceModel> sequences = new HashMap<>();
    final Supplier<Commit> commits;

    /** The time of each seal that was read first. */
    private final IdentityHashMap<Seal, Instant> sealTimes = new IdentityHashMap<>();

    /** The paths that processes have opened to counters, and keep. */
    private final Map<CounterBackend, Map<String, FastPath>> paths = new HashMap<>();

    /** How often entries were read. */
    private int looks;

    StoreModel(List<String> names, Supplier<Commit> commits) {
        this.names = names;
        this.commits = commits;
        names.forEach(name -> {
            counters.put(name, new CounterModel(name, tokens));
            sequences.put(name, new SequenceModel(name, tokens));
        });
    }

    CounterModel counter(String name) {
        return Objects.requireNonNull(counters.get(name));
    }

    /** Returns the path that a process has opened to a counter the first time; null if it has none. */
    @Nullable FastPath path(CounterBackend process, String name) {
        return process.counters().limits().direct()
                ? paths.computeIfAbsent(process, opening -> new HashMap<>())
                        .computeIfAbsent(name, process.counters()::fastPath)
                : null;
    }

    SequenceModel sequence(String name) {
        return Objects.requireNonNull(sequences.get(name));
    }

    /** Compares strong reads of every name, and of one subject in each sequence. */
    void compare(CounterBackend process, String subject, String doing) {
        compareTotals(process, names, Duration.ZERO, doing + ", then a read of many");
        for (String name : names) {
            compareSequence(process, name, doing);
        }
        if (process.capabilities().stream().anyMatch(MIGRATING::contains)) {
            compareStates(process, names, subject, doing);
        }
    }

    /** Compares the totals that are read together. */
    private void compareTotals(CounterBackend process, List<String> read, Duration maxStaleness, String doing) {
        List<Result<Reading>> totals =
                process.counters().read(read, maxStaleness, commits.get()).join();
        for (int i = 0; i < read.size(); i++) {
            CounterModel counter = counter(read.get(i));
            String of = doing + " of '" + read.get(i) + "'";
            if (counter.isInRange()) {
                assertThat(totals.get(i).orThrow().value()).as(of).isEqualTo(counter.total);
            } else {
                assertThat(totals.get(i).failure()).as(of).isInstanceOf(CounterOverflowException.class);
            }
        }
    }

    private void compareSequence(CounterBackend process, String name, String doing) {
        String after = doing + ", then a read of '" + name + "'";
        assertThat(process.sequences().tail(name, commits.get()).join())
                .as(after)
                .isEqualTo(sequence(name).tail());
        long last = sequence(name).last;
        List<NumberRange> ranges = List.of(
                new NumberRange(1, 2),
                new NumberRange(Math.max(1, last - 1), last + 1),
                new NumberRange(last + 1, last + 9),
                new NumberRange(2, 10),
                new NumberRange(Long.MAX_VALUE - 9, Long.MAX_VALUE));
        for (NumberRange range : List.of(new NumberRange(1, 1000), ranges.get(looks++ % ranges.size()))) {
            assertThat(process.sequences().read(name, range, commits.get()).join())
                    .as("%s of the entries %s", after, range)
                    .isEqualTo(sequence(name).entries(range));
        }
    }

    /**
     * Checks that each total is one that the counter had, and is the last one if the age that it states requires that.
     */
    private void compareOldTotals(CounterBackend process, List<String> read, String doing) {
        long start = System.nanoTime();
        List<Result<Reading>> totals =
                process.counters().read(read, LONG_AGO, commits.get()).join();
        for (int i = 0; i < read.size(); i++) {
            CounterModel counter = counter(read.get(i));
            if (!totals.get(i).isApplied()) {
                assertThat(totals.get(i).failure()).as(doing).isInstanceOf(CounterOverflowException.class);
                continue;
            }
            Reading reading = totals.get(i).orThrow();
            assertThat(counter.totals).as(doing).contains(reading.value());
            if (start - reading.staleness().toNanos() > counter.changedAt) {
                assertThat(reading.value())
                        .as(
                                "%s: a total that was changed more than %s ago, which is the age that the reading"
                                        + " states",
                                doing, Durations.inWords(reading.staleness()))
                        .isEqualTo(counter.total);
            }
        }
    }

    /** Compares the result of every kind of read of one counter, except lists. */
    void compareCounter(CounterBackend process, String name, String doing) {
        compareTotals(process, List.of(name), Duration.ZERO, doing + ", then a read");
        compareTotals(process, List.of(name), JUST_NOW, doing + ", then a read with a short staleness bound");
        List<String> several = List.of(names.get(0), name, names.get(0));
        compareTotals(process, several, Duration.ZERO, doing + ", then a read of many");
        compareTotals(process, several, JUST_NOW, doing + ", then a read of many with a short staleness bound");
        for (List<String> read : List.of(List.of(name), several)) {
            compareOldTotals(process, read, doing + ", then a read with a long staleness bound");
        }
        if (process.capabilities().stream().anyMatch(MIGRATING::contains)) {
            compareStates(process, List.of(name), "s", doing);
        }
        if (process.capabilities().contains(Capability.SEAL_COUNTERS)) {
            assertThat(process.migration().lateAdds(several, commits.get()).join())
                    .as("%s, then a read of what was added after the seals of several counters", doing)
                    .isEqualTo(Collections.nCopies(several.size(), 0L));
        }
    }

    /** Compares the result of every kind of read of one sequence, except lists. */
    void compareSequence(CounterBackend process, String name, String subject, String doing) {
        compareSequence(process, name, doing);
        if (process.capabilities().stream().anyMatch(MIGRATING::contains)) {
            compareStates(process, List.of(name), subject, doing);
        }
    }

    private void compareStates(CounterBackend process, List<String> looked, String subject, String doing) {
        List<NameState> ofCounters =
                process.migration().states(Kind.COUNTER, looked, commits.get()).join();
        List<NameState> ofSequences =
                process.migration().states(Kind.SEQUENCE, looked, commits.get()).join();
        for (int i = 0; i < looked.size(); i++) {
            String name = looked.get(i);
            String after = doing + ", then a read of the state of '" + name + "'";
            assertThat(ofCounters.get(i).isPresent())
                    .as("%s: whether the counter is present", after)
                    .isEqualTo(counter(name).isPresent);
            compareSeal(ofCounters.get(i), counter(name).seal, after);
            if (!sequence(name).hasOnlyCopies()) {
                assertThat(ofSequences.get(i).isPresent())
                        .as("%s: whether the sequence is present", after)
                        .isEqualTo(sequence(name).last > 0);
            }
            compareSeal(ofSequences.get(i), sequence(name).seal, after);
            assertThat(process.migration().subject(name, subject, commits.get()).join())
                    .as("%s, then a read of the subject '%s' of '%s'", doing, subject, name)
                    .isEqualTo(Optional.ofNullable(sequence(name).subjects.get(subject)));
        }
        if (process.capabilities().contains(Capability.IMPORT)) {
            compareImports(process, looked, Kind.COUNTER, doing);
            compareImports(process, looked, Kind.SEQUENCE, doing);
        }
    }

    private void compareSeal(NameState state, @Nullable Seal seal, String after) {
        assertThat(state.seal()).as("%s: the seal", after).isEqualTo(seal);
        if (seal != null) {
            assertThat(state.sealedAt())
                    .as("%s: the time of the seal", after)
                    .isNotNull()
                    .isEqualTo(sealTimes.computeIfAbsent(seal, first -> state.sealedAt()));
        }
    }

    private void compareImports(CounterBackend process, List<String> looked, Kind kind, String doing) {
        assertThat(process.migration().bases(kind, looked, commits.get()).join())
                .as("%s, then a read of imported states of %s", doing, kind == Kind.COUNTER ? "counters" : "sequences")
                .isEqualTo(looked.stream()
                        .map(name -> Optional.ofNullable(imported(kind, name)))
                        .toList());
    }

    private @Nullable ImportedState imported(Kind kind, String name) {
        return kind == Kind.COUNTER ? counter(name).base : sequence(name).base;
    }

    /** Compares what every token stands for. */
    void compareTokens(CounterBackend process, String doing) {
        tokens.forEach((token, resolution) -> assertThat(
                        process.resolve(token, null, commits.get()).join())
                .as("%s, then the resolution of token %s", doing, token)
                .isEqualTo(resolution));
    }
}
