package io.counterkit.migration.internal.routing;

import io.counterkit.CountersListener;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The two stores of a migration. */
public final class StorePair {
    private final CounterBackend source;
    private final CounterBackend target;
    private final MigrationOptions options;
    private final LongSupplier nanoTime;
    private final Set<Capability> sourceCapabilities;
    private final boolean callerRuns;

    /** @param nanoTime measures elapsed time, as {@link System#nanoTime()} does */
    public StorePair(CounterBackend source, CounterBackend target, MigrationOptions options, LongSupplier nanoTime) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.nanoTime = nanoTime;
        this.sourceCapabilities = source.capabilities();
        this.callerRuns = callerRuns(source) || callerRuns(target);
        if (!canSeal(ChangeTarget.Kind.COUNTER) && !canSeal(ChangeTarget.Kind.SEQUENCE)) {
            throw new IllegalArgumentException(
                    "the source cannot be moved from, because it can seal neither counters nor sequences");
        }
        if (!target.capabilities().contains(Capability.IMPORT)) {
            throw new IllegalArgumentException(
                    "the target cannot be moved to, because it cannot " + Capability.IMPORT.ability());
        }
    }

    private static boolean callerRuns(CounterBackend backend) {
        return backend.counters().limits().callerRuns()
                || backend.sequences().limits().callerRuns();
    }

    /** Returns the word for a kind in messages. */
    public static String noun(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? "counter" : "sequence";
    }

    /** Returns the elapsed time, in nanoseconds from an arbitrary moment. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    public CounterBackend source() {
        return source;
    }

    public CounterBackend target() {
        return target;
    }

    public MigrationOptions options() {
        return options;
    }

    /** Returns how long the source remembers a token: the longer of its own retention and the configured one. */
    Duration sourceRetention() {
        Duration own = source.retention();
        Duration configured = options.sourceRetention();
        return own.compareTo(configured) > 0 ? own : configured;
    }

    /** Returns whether the source can seal names of this kind, so that they can move. */
    public boolean canSeal(ChangeTarget.Kind kind) {
        return sourceCapabilities.contains(
                kind == ChangeTarget.Kind.COUNTER ? Capability.SEAL_COUNTERS : Capability.SEAL_SEQUENCES);
    }

    /** Returns whether the seal was set by this migration. */
    boolean isOurs(@Nullable Seal seal) {
        return seal != null && seal.forward().equals(options.forward());
    }

    /** Returns whether a call failed at a seal that was set by this migration. */
    boolean isOurSeal(@Nullable Throwable failure) {
        return failure instanceof SealedException sealed && isOurs(sealed.seal());
    }

    /** Returns a new commit with the remaining time of {@code call}. */
    Commit newCommit(Call call) {
        return new Commit(call.remaining(), options.random(), CountersListener.disabled());
    }

    public CompletableFuture<List<NameState>> sourceStates(ChangeTarget.Kind kind, List<String> names, Call call) {
        return send(call, () -> source.migration().states(kind, names, call));
    }

    CompletableFuture<NameState> sourceState(ChangeTarget.Kind kind, String name, Call call) {
        return sourceStates(kind, List.of(name), call).thenApply(states -> states.get(0));
    }

    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        return send(call, () -> target.migration().bases(kind, names, call));
    }

    /**
     * Sends a call to a store. If one of the stores is bound to the calling thread, waits for the answer, so that later
     * steps run on this thread too.
     */
    public <T> CompletableFuture<T> send(Call call, Supplier<CompletableFuture<T>> request) {
        try {
            CompletableFuture<T> answer = Objects.requireNonNull(request.get(), "the store returned null for a future");
            return callerRuns ? await(answer, call) : answer;
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T> CompletableFuture<T> await(CompletableFuture<T> answer, Call call) {
        try {
            answer.get(call.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return answer; // fails the same way
        } catch (TimeoutException e) {
            return CompletableFuture.failedFuture(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(e);
        }
        return answer;
    }
}
