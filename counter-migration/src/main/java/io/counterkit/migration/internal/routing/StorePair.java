package io.counterkit.migration.internal.routing;

import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The two stores of a migration, and the way in which they are called. */
public final class StorePair {
    private final CounterBackend source;
    private final CounterBackend target;
    private final MigrationOptions options;
    private final LongSupplier nanoTime;
    private final Set<Capability> ofSource;
    private final boolean callerRuns;

    /**
     * Creates the pair.
     *
     * @param nanoTime measures elapsed time, as {@link System#nanoTime()} does
     */
    public StorePair(CounterBackend source, CounterBackend target, MigrationOptions options, LongSupplier nanoTime) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.nanoTime = nanoTime;
        this.ofSource = source.capabilities();
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

    /** The kind as messages call it. */
    public static String word(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? "counter" : "sequence";
    }

    private static boolean callerRuns(CounterBackend backend) {
        BatchLimits adds = backend.counters().limits();
        return adds.callerRuns() || backend.sequences().limits().callerRuns();
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

    /** How long the source remembers a token: as it says itself, or as the options say where that is longer. */
    Duration sourceRetention() {
        Duration told = source.retention();
        Duration configured = options.sourceRetention();
        return told.compareTo(configured) > 0 ? told : configured;
    }

    /** Whether names of this kind can move at all. */
    public boolean canSeal(ChangeTarget.Kind kind) {
        return ofSource.contains(
                kind == ChangeTarget.Kind.COUNTER ? Capability.SEAL_COUNTERS : Capability.SEAL_SEQUENCES);
    }

    /** Whether a seal was put by this migration. */
    boolean isOurs(Seal seal) {
        return seal.forward().equals(options.forward());
    }

    boolean isOurs(Throwable failure) {
        return failure instanceof SealedException sealed && isOurs(sealed.seal());
    }

    /**
     * Calls a store. Where one of the two is bound to the calling thread, that thread waits for the answer, so that what
     * comes next is done there too.
     */
    public <T> CompletableFuture<T> ask(Call call, Supplier<CompletableFuture<T>> store) {
        try {
            CompletableFuture<T> answer = Objects.requireNonNull(store.get(), "the store returned null for a future");
            return callerRuns ? awaited(answer, call) : answer;
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T> CompletableFuture<T> awaited(CompletableFuture<T> answer, Call call) {
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
