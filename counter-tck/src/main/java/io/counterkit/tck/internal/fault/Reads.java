package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reads of the SPI, for runs with faults. The kit's own build fails if a read of the SPI is missing here. */
public final class Reads {
    private Reads() {}

    /**
     * A read.
     *
     * @param right its only correct value, which is the same in every run
     * @param failures how it may fail
     */
    public record Read(Supplier<CompletableFuture<Object>> start, Object right, Failures failures) {}

    /** The failures that a read may have. */
    public enum Failures {
        /** Those that are known as not applied. */
        NOT_APPLIED,
        /** Those that state any outcome, since a resolution may have decided the token. */
        ANY_OUTCOME,
        /** Any exception, since a backend does not state the outcome of the resolution of a commit. */
        ANY
    }

    /** Returns all reads. */
    public static List<Operation<Read>> all() {
        List<Operation<Read>> all = new ArrayList<>();
        all.add(read("a read of a counter", "CounterStore.read", Set.of(), stage -> {
            String name = stage.counter(5);
            return of(() -> stage.acting().counter(name).async().get(), 5L);
        }));
        all.add(read("a read with a staleness bound", "CounterStore.read", Set.of(), stage -> {
            String name = stage.counter(5);
            return of(
                    () -> stage.acting()
                            .counter(name)
                            .async()
                            .read(Duration.ofMinutes(10))
                            .thenApply(Reading::value),
                    5L);
        }));
        all.add(read("a read of many counters", "CounterStore.read", Set.of(), stage -> {
            List<String> names = List.of(stage.counter(5), stage.counter(6), stage.counter(7));
            return of(
                    () -> stage.acting()
                            .async()
                            .readAll(names, Duration.ZERO)
                            .thenApply(readings -> names.stream()
                                    .filter(name -> !readings.failures().containsKey(name))
                                    .allMatch(name ->
                                            readings.values().getOrDefault(name, 0L) == 5L + names.indexOf(name))),
                    true);
        }));
        all.add(names(
                "a list of counters",
                "CounterStore.names",
                (counters, name) -> counters.counter(name).add(1),
                (counters, page) -> counters.async().counterNames(page.prefix(), page.cursor(), 2)));
        all.add(names(
                "a list of sequences",
                "SequenceStore.names",
                (counters, name) -> counters.sequence(name).append(Map.of()),
                (counters, page) -> counters.async().sequenceNames(page.prefix(), page.cursor(), 2)));
        all.add(read("a list of the largest counters", "CounterStore.top", Set.of(Capability.TOP), Reads::top));
        all.add(read("a read of a tail", "SequenceStore.tail", Set.of(), stage -> {
            Sequence sequence = sequence(stage);
            Object right = sequence.tail();
            return of(() -> stage.acting().sequence(sequence.name()).async().tail(), right);
        }));
        all.add(read("a read of entries", "SequenceStore.read", Set.of(), stage -> {
            Sequence sequence = sequence(stage);
            List<Entry> right = sequence.read(1, 9);
            assertThat(right).as("the entries read").hasSize(3);
            return of(() -> stage.acting().sequence(sequence.name()).async().read(1, 9), right);
        }));
        all.add(read("a resolution of an add", "CounterBackend.resolve", Set.of(), stage -> {
            IdempotencyToken token = IdempotencyToken.random();
            String name = stage.name();
            stage.observing().counter(name).add(5, token);
            return resolution(stage, token, new Resolution.Added(name, 5));
        }));
        all.add(read("a resolution of an append", "CounterBackend.resolve", Set.of(), stage -> {
            IdempotencyToken token = IdempotencyToken.random();
            Sequence sequence = sequence(stage);
            sequence.append(Map.of(), token);
            return resolution(stage, token, new Resolution.Appended(sequence.name(), 4));
        }));
        all.add(read("a resolution of the commit of an add", "CounterBackend.resolve", Set.of(), stage -> {
            String name = stage.name();
            Commit commit = stage.commit();
            IdempotencyToken token = commit.token();
            stage.observingBackend()
                    .counters()
                    .add(List.of(new AddRequest(name, 5, null)), commit)
                    .join();
            return resolutionOfCommit(stage, token, ChangeTarget.counter(name));
        }));
        all.add(read("a resolution of the commit of a reset", "CounterBackend.resolve", Set.of(), stage -> {
            String name = stage.counter(5);
            Commit commit = stage.commit();
            IdempotencyToken token = commit.token();
            stage.observingBackend().counters().reset(name, commit).join();
            return resolutionOfCommit(stage, token, ChangeTarget.counter(name));
        }));
        all.add(read("a resolution of the commit of appends", "CounterBackend.resolve", Set.of(), stage -> {
            String name = stage.name();
            Commit commit = stage.commit();
            IdempotencyToken token = commit.token();
            AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), null);
            stage.observingBackend()
                    .sequences()
                    .append(name, List.of(request), commit)
                    .join();
            return resolutionOfCommit(stage, token, ChangeTarget.append(name, 0));
        }));
        all.addAll(MigrationReads.all());
        return all;
    }

    static Read of(Supplier<? extends CompletableFuture<?>> start, Object right) {
        return of(start, right, Failures.NOT_APPLIED);
    }

    private static Read of(Supplier<? extends CompletableFuture<?>> start, Object right, Failures failures) {
        return new Read(() -> start.get().thenApply(value -> (Object) value), right, failures);
    }

    private static Read resolution(Stage stage, IdempotencyToken token, Resolution right) {
        return of(() -> stage.acting().async().resolve(token), right, Failures.ANY_OUTCOME);
    }

    private static Read resolutionOfCommit(Stage stage, IdempotencyToken token, ChangeTarget target) {
        return of(
                () -> stage.actingBackend()
                        .resolve(token, target, stage.actingCommit())
                        .thenApply(Resolution::applied),
                true,
                Failures.ANY);
    }

    static Operation<Read> read(String label, String covers, Set<Capability> needs, Function<Stage, Read> prepare) {
        return new Operation<>(label, Set.of(covers), needs, prepare);
    }

    private interface Creation {
        void create(Counters counters, String name);
    }

    /** A prefix, and the cursor of a page. */
    record Page(String prefix, @Nullable String cursor) {}

    /** Lists a page of names. */
    interface Listing {
        CompletableFuture<NamePage> list(Counters counters, Page page);
    }

    /**
     * Returns the operation that lists three names, in pages that may be short and in any order, and sorts the names.
     */
    private static Operation<Read> names(String label, String covers, Creation creation, Listing listing) {
        return read(label, covers, Set.of(), stage -> {
            String prefix = stage.name();
            List<String> names = List.of(prefix + "/a", prefix + "/b", prefix + "/c");
            names.forEach(name -> creation.create(stage.observing(), name));
            stage.lists()
                    .accept(() -> assertThat(names(listing, stage.observing(), new Page(prefix, null), List.of())
                                    .join())
                            .as("the names of all pages")
                            .isEqualTo(names));
            return of(() -> names(listing, stage.acting(), new Page(prefix, null), List.of()), names);
        });
    }

    /** Returns {@code before} with the names of a page and of those after it, sorted. */
    static CompletableFuture<List<String>> names(Listing listing, Counters counters, Page page, List<String> before) {
        return listing.list(counters, page).thenCompose(found -> {
            List<String> names = Stream.concat(before.stream(), found.names().stream())
                    .sorted()
                    .toList();
            return found.next() == null
                    ? CompletableFuture.completedFuture(names)
                    : names(listing, counters, new Page(page.prefix(), found.next()), names);
        });
    }

    private static Read top(Stage stage) {
        String prefix = stage.name();
        stage.observing().counter(prefix + "/a").add(3);
        stage.observing().counter(prefix + "/b").add(4);
        Function<Counters, CompletableFuture<List<Object>>> values = counters -> counters.async()
                .top(prefix, 5)
                .thenApply(readings -> readings.stream()
                        .<Object>map(
                                named -> named.name() + " " + named.reading().value())
                        .toList());
        List<Object> right = List.of(prefix + "/b 4", prefix + "/a 3");
        stage.lists()
                .accept(() -> assertThat(values.apply(stage.observing()).join()).isEqualTo(right));
        return of(() -> values.apply(stage.acting()), right);
    }

    static Sequence sequence(Stage stage) {
        Sequence sequence = stage.observing().sequence(stage.name());
        sequence.append(Map.of("a", 1L));
        sequence.append(Map.of("b", "c"));
        sequence.append(Change.ADDED, "live", Map.of());
        return sequence;
    }
}
