package io.counterkit.migration.internal.routing;

import io.counterkit.Change;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MutantBackend;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.fixture.Action;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.model.Attempt;
import io.counterkit.migration.model.History;
import io.counterkit.migration.model.SteppedProcess;
import io.counterkit.migration.model.SteppedProcess.Fate;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two stores, some processes that use one counter and one sequence of the same name, and the history of their
 * operations. Time stands still and random values are seeded, so that the same order of calls has the same effect.
 */
public final class World {
    public static final String NAME = "n";
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final InMemoryOptions IN_MEMORY = InMemoryOptions.builder()
            .clock(() -> NOON)
            .batches(BatchLimits.ofWeight(20))
            .build();

    private final InMemoryStore source = InMemoryStore.create(IN_MEMORY);
    private final InMemoryStore target = InMemoryStore.create(IN_MEMORY);
    private final Mutant mutant;
    private final Map<String, Fate> fates;
    private final List<SteppedProcess> processes = new ArrayList<>();
    private final History history = new History();
    private final List<String> trace = new ArrayList<>();
    private final Random random = new Random(17);
    private int now;

    public World(Mutant mutant, Map<String, Fate> fates) {
        this.mutant = mutant;
        this.fates = fates;
    }

    /** Adds a process with the old configuration: the source alone. */
    public SteppedProcess old(String name) {
        return process(name, connection -> new ConnectedBackend("source", InMemoryBackend.over(source), connection));
    }

    /** Adds a process that migrates at this percentage. */
    public SteppedProcess migrating(String name, int percent) {
        return process(name, connection -> migrating(connection, percent));
    }

    private CounterBackend migrating(Connection connection, int percent) {
        StorePair pair = new StorePair(
                new ConnectedBackend("source", InMemoryBackend.over(source), connection),
                new ConnectedBackend("target", InMemoryBackend.over(target), connection),
                options(percent),
                System::nanoTime);
        return MutantBackend.of(pair, mutant);
    }

    private SteppedProcess process(String name, Function<Connection, CounterBackend> backend) {
        SteppedProcess process =
                new SteppedProcess(processes.size(), name, fates.getOrDefault(name, Fate.NONE), backend);
        processes.add(process);
        return process;
    }

    private MigrationOptions options(int percent) {
        return MigrationOptions.builder("old", "new")
                .rollout(Rollout.at(percent))
                .random(random)
                .build();
    }

    Commit commit() {
        return new Commit(Duration.ofHours(1), random, CountersListener.disabled());
    }

    static Call call() {
        return new Call(Duration.ofHours(1), CountersListener.disabled());
    }

    /** Makes changes at the source before the processes start. */
    public World before(Attempt... attempts) {
        for (Attempt attempt : attempts) {
            CompletableFuture<?> unused = attempt(attempt).apply(InMemoryBackend.over(source));
        }
        return this;
    }

    public Attempt add(String change, long delta) {
        return Attempt.add(change, delta, true, commit());
    }

    /** Returns an add without a caller's token. */
    public Attempt addOnce(String change, long delta) {
        return Attempt.add(change, delta, false, commit());
    }

    /** Returns an append without a caller's token. */
    public Attempt appendOnce(String change) {
        return Attempt.append(change, false, Change.ADDED, null, commit());
    }

    public Attempt append(String change) {
        return append(change, Change.ADDED, null);
    }

    public Attempt append(String change, Change what, @Nullable String subject) {
        return Attempt.append(change, true, what, subject, commit());
    }

    /** Makes one attempt. */
    public Function<CounterBackend, CompletableFuture<?>> attempt(Attempt attempt) {
        return backend -> {
            attempt.begun = ++now;
            history.add(attempt);
            return attempt.send(backend).handle((result, failure) -> {
                attempt.result = result;
                attempt.failure = failure == null ? null : Futures.unwrap(failure);
                attempt.ended = ++now;
                return true;
            });
        };
    }

    /** Erases an entry from before the start. */
    public Function<CounterBackend, CompletableFuture<?>> erase(long number) {
        return backend ->
                backend.sequences().erase(NAME, number, commit()).thenAccept(erased -> history.erased(number, erased));
    }

    /** Copies an entry from the source to the target, as the batch job does. */
    public static Function<CounterBackend, CompletableFuture<?>> copy(long number) {
        return backend -> {
            MigratingBackend migrating = (MigratingBackend) backend;
            return migrating
                    .source()
                    .sequences()
                    .read(NAME, new NumberRange(number, number), call())
                    .thenCompose(entries -> migrating.target().migration().copy(NAME, entries, call()));
        };
    }

    public static Function<CounterBackend, CompletableFuture<?>> move(Kind kind) {
        return backend -> ((MigratingBackend) backend).move(kind, NAME, call());
    }

    public Function<CounterBackend, CompletableFuture<?>> resolve(Attempt attempt) {
        return backend -> {
            history.resolving(attempt.change);
            return backend.resolve(
                            attempt.token != null ? attempt.token : attempt.commit.token(),
                            attempt.token != null ? null : attempt.target(),
                            call())
                    .thenAccept(resolution -> {
                        now++;
                        history.resolved(attempt.change, resolution);
                    });
        };
    }

    public Function<CounterBackend, CompletableFuture<?>> readTotal() {
        return see(
                Kind.COUNTER,
                backend -> backend.counters().read(List.of(NAME), Duration.ZERO, call()),
                results -> results.get(0).orThrow().value());
    }

    public Function<CounterBackend, CompletableFuture<?>> readLast() {
        return see(Kind.SEQUENCE, backend -> backend.sequences().tail(NAME, call()), tail -> tail.last());
    }

    public Function<CounterBackend, CompletableFuture<?>> readEntries() {
        return see(
                Kind.SEQUENCE,
                backend -> backend.sequences().read(NAME, new NumberRange(1, 1000), call()),
                World::lastOfRow);
    }

    /** Returns the last number, or -1 if the entries have a gap or a duplicate. */
    private static long lastOfRow(List<Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).number() != i + 1) {
                return -1;
            }
        }
        return entries.size();
    }

    private <T> Function<CounterBackend, CompletableFuture<?>> see(
            Kind kind, Function<CounterBackend, CompletableFuture<T>> read, ToLongFunction<T> value) {
        return backend -> {
            int begun = ++now;
            return read.apply(backend)
                    .thenAccept(
                            seen -> history.add(new History.Observation(kind, begun, ++now, value.applyAsLong(seen))));
        };
    }

    public World start() {
        processes.forEach(SteppedProcess::start);
        return this;
    }

    public List<Action> enabled() {
        return processes.stream().flatMap(process -> process.enabled().stream()).toList();
    }

    public void perform(Action action) {
        SteppedProcess process = processes.get(action.process());
        trace.add(process + ": " + action.what());
        process.perform(action);
    }

    /** Returns how many operations have begun or ended. */
    public int now() {
        return now;
    }

    public List<String> processNames() {
        return processes.stream().map(SteppedProcess::toString).toList();
    }

    /** Returns whether the faults of all processes were injected. */
    public boolean isFateMet() {
        return processes.stream().allMatch(SteppedProcess::hasMetItsFate);
    }

    public void check() {
        try {
            history.check(migrating(Connection.direct(), 100), call());
            Stream.of(source, target)
                    .flatMap(store -> store.dump().sequences().getOrDefault(NAME, List.of()).stream())
                    .forEach(history::checkErased);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "after\n" + String.join("\n", trace) + "\n" + history + "\n" + source.dump() + "\n--\n"
                            + target.dump() + "\n" + e.getMessage(),
                    e);
        }
    }
}
