package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.NamedReading;
import io.counterkit.Readings;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Futures;
import io.counterkit.tck.internal.fault.Reads.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Large reads of the SPI, which a backend may carry out in several calls to the store, for runs with faults. */
public final class LargeReads {
    private static final int MOST = 1_000;
    private static final int AT_ONCE = 50;

    private final Stage stage;
    private final String prefix;

    /** The names of counters with the totals 1, 2, 3, … */
    private final List<String> counters;

    private final List<String> sequences;

    /** A sequence with many entries. */
    private final String longSequence;

    private final int entries;

    /**
     * Creates the counters, the sequences and the entries that are read.
     *
     * @param longest how long each of the three may take; on a slow store, fewer are created
     */
    public LargeReads(Stage stage, Duration longest) {
        this.stage = stage;
        this.prefix = stage.name() + "/";
        this.longSequence = stage.name();
        Counters creating = stage.observing();
        this.counters =
                names(create(longest, i -> creating.counter(name(i)).async().add(i + 1)));
        this.sequences =
                names(create(longest, i -> creating.sequence(name(i)).async().append(Map.of())));
        this.entries =
                create(longest, i -> creating.sequence(longSequence).async().append(Map.of("i", (long) i)));
    }

    private static int create(Duration longest, IntFunction<CompletableFuture<?>> creation) {
        long start = System.nanoTime();
        int created = 0;
        while (created < MOST && System.nanoTime() - start < longest.toNanos()) {
            List<CompletableFuture<?>> creations = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                creations.add(creation.apply(created++));
            }
            creations.forEach(CompletableFuture::join);
        }
        return created;
    }

    private List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(this::name).toList();
    }

    private String name(int number) {
        return prefix + (10_000 + number);
    }

    /** Returns the reads, which the acting side of a stage makes. */
    public List<Operation<Read>> all() {
        List<Operation<Read>> all = new ArrayList<>();
        all.add(listed(
                "a list of many counters",
                counters,
                Set.of(),
                process -> listed((from, page) -> from.async().counterNames(prefix, page.cursor(), MOST), process)));
        all.add(listed(
                "a list of many sequences",
                sequences,
                Set.of(),
                process -> listed((from, page) -> from.async().sequenceNames(prefix, page.cursor(), MOST), process)));
        List<String> largest = new ArrayList<>(counters);
        Collections.reverse(largest);
        all.add(listed("a list of the largest of many counters", largest, Set.of(Capability.TOP), this::largest));
        all.add(Reads.read(
                "a read of many counters",
                "CounterStore.read",
                Set.of(),
                acting -> Reads.of(
                        () -> acting.acting()
                                .async()
                                .readAll(counters, Duration.ZERO)
                                .thenApply(this::wrong),
                        List.of())));
        all.add(read(
                "a read of many entries",
                Set.of(),
                acting -> acting.acting().sequence(longSequence).async().read(1, entries)));
        boolean hasStates = !Collections.disjoint(
                stage.observingBackend().capabilities(),
                Set.of(Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES, Capability.IMPORT));
        for (Kind kind : Kind.values()) {
            List<String> names = kind == Kind.COUNTER ? counters : sequences;
            all.add(read(
                    "a read of the imported states of many " + MigrationReads.noun(kind),
                    Set.of(Capability.IMPORT),
                    acting -> acting.actingBackend().migration().bases(kind, names, acting.actingCommit())));
            if (hasStates) {
                all.add(read(
                        "a read of the states of many " + MigrationReads.noun(kind),
                        Set.of(),
                        acting -> acting.actingBackend().migration().states(kind, names, acting.actingCommit())));
            }
        }
        return all;
    }

    /** Returns a read whose correct answer is that of a process with a long deadline. */
    private Operation<Read> read(String label, Set<Capability> needs, Function<Stage, CompletableFuture<?>> read) {
        return Reads.read(label, label, needs, acting -> {
            Object right = Futures.join(read.apply(stage));
            return Reads.of(() -> read.apply(acting), right);
        });
    }

    private Operation<Read> listed(
            String label, List<String> right, Set<Capability> needs, Function<Counters, CompletableFuture<?>> list) {
        return Reads.read(label, label, needs, acting -> {
            stage.lists()
                    .accept(() -> assertThat(Futures.join(list.apply(stage.observing())))
                            .as(label)
                            .isEqualTo(right));
            return Reads.of(() -> list.apply(acting.acting()), right);
        });
    }

    private CompletableFuture<List<String>> listed(Reads.Listing listing, Counters process) {
        return Reads.names(listing, process, new Reads.Page(prefix, null), List.of());
    }

    private CompletableFuture<List<String>> largest(Counters process) {
        return process.async()
                .top(prefix, MOST)
                .thenApply(readings -> readings.stream().map(NamedReading::name).toList());
    }

    /** Returns the counters that have a wrong total, or neither a total nor a failure. */
    private List<String> wrong(Readings readings) {
        Map<String, Long> values = readings.values();
        return IntStream.range(0, counters.size())
                .filter(i -> !readings.failures().containsKey(counters.get(i))
                        && !Long.valueOf(i + 1L).equals(values.get(counters.get(i))))
                .mapToObj(counters::get)
                .toList();
    }
}
