package io.counterkit.inmemory;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The way of every call to the store, where faults happen to it. */
final class FaultGate {
    private final Faults faults;
    private final boolean direct;
    private final boolean callerRuns;

    FaultGate(InMemoryStore store) {
        this.faults = store.faults();
        this.direct = store.options().batches().direct();
        this.callerRuns = store.options().batches().callerRuns();
    }

    /** Whether a change is answered at once, so that nobody can leave before and ask for its commit's token. */
    boolean isClear() {
        return direct && faults.isQuiet();
    }

    <T> CompletableFuture<T> read(Collection<String> names, Supplier<T> read) {
        Injection injection = faults.isQuiet() ? null : faults.hitting(names);
        if (injection == null) {
            return carryOut(read);
        }
        return switch (injection.fault()) {
            case FAIL -> CompletableFuture.failedFuture(new NotAppliedException(problem("reading", names, Fault.FAIL)));
            case LOSE_REPLY ->
                carryOut(read).handle((lost, failure) -> {
                    throw new NotAppliedException(problem("reading", names, Fault.LOSE_REPLY));
                });
            case HOLD -> injection.hold().thenApply(released -> read.get());
        };
    }

    /**
     * @param change told whether nobody can ask for the commit's token any more, so that it need not be remembered;
     *     otherwise whoever asks has to learn what became of the change
     */
    <T> CompletableFuture<T> change(Collection<String> names, Commit commit, Change<T> change) {
        Injection injection = faults.isQuiet() ? null : faults.hitting(names);
        if (injection == null) {
            return carryOut(() -> change.carryOut(direct && !commit.isTokenMade()));
        }
        return switch (injection.fault()) {
            case FAIL ->
                CompletableFuture.failedFuture(new NotAppliedException(problem("changing", names, Fault.FAIL)));
            case LOSE_REPLY ->
                carryOut(() -> change.carryOut(false)).handle((lost, failure) -> {
                    throw unknown(names, commit, Fault.LOSE_REPLY);
                });
            case HOLD -> {
                CompletableFuture<T> held = injection.hold().thenApply(released -> change.carryOut(false));
                yield held(commit, held, () -> unknown(names, commit, Fault.HOLD));
            }
        };
    }

    /**
     * A change that needs no token, because it is done once however often it is sent: after a lost reply the way out is
     * to send it again.
     */
    <T> CompletableFuture<T> repeatable(String name, Call call, Supplier<T> change) {
        Injection injection = faults.isQuiet() ? null : faults.hitting(List.of(name));
        if (injection == null) {
            return carryOut(change);
        }
        return switch (injection.fault()) {
            case FAIL ->
                CompletableFuture.failedFuture(
                        new NotAppliedException(problem("importing", List.of(name), Fault.FAIL)));
            case LOSE_REPLY ->
                carryOut(change).handle((lost, failure) -> {
                    throw new IllegalStateException(problem("importing", List.of(name), Fault.LOSE_REPLY));
                });
            case HOLD -> {
                CompletableFuture<T> held = injection.hold().thenApply(released -> change.get());
                yield held(
                        call, held, () -> new IllegalStateException(problem("importing", List.of(name), Fault.HOLD)));
            }
        };
    }

    /** A change of the store. */
    interface Change<T> {
        T carryOut(boolean unasked);
    }

    private static <T> CompletableFuture<T> carryOut(Supplier<T> call) {
        try {
            return CompletableFuture.completedFuture(call.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Where calls are carried out on the caller's thread, that one waits, for as long as the call has. */
    private <T> CompletableFuture<T> held(
            Call call, CompletableFuture<T> held, Supplier<? extends RuntimeException> unknown) {
        if (!callerRuns) {
            return held;
        }
        try {
            held.get(call.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return held;
        } catch (TimeoutException e) {
            return CompletableFuture.failedFuture(unknown.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(unknown.get());
        }
        return held;
    }

    private static OutcomeUnknownException unknown(Collection<String> names, Commit commit, Fault fault) {
        return new OutcomeUnknownException(problem("changing", names, fault), commit.token(), null);
    }

    private static String problem(String what, Collection<String> names, Fault fault) {
        String happened = switch (fault) {
            case FAIL -> "it failed on the way to the store";
            case LOSE_REPLY -> "its reply was lost";
            case HOLD -> "it is held back";
        };
        String of = names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        return what + " " + (names.isEmpty() ? "names" : of) + ": " + happened + ", as injected by a test";
    }
}
