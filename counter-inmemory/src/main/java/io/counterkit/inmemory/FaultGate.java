package io.counterkit.inmemory;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the calls to the store, and applies the injected faults to them. */
final class FaultGate {
    private final Faults faults;
    private final boolean callerRuns;

    FaultGate(Faults faults, boolean callerRuns) {
        this.faults = faults;
        this.callerRuns = callerRuns;
    }

    /** Returns whether no faults are injected. */
    boolean isOpen() {
        return faults.isEmpty();
    }

    /** Makes a call that reads. */
    <T> CompletableFuture<T> read(Collection<String> names, Supplier<T> read) {
        return call("reading", names, null, NotAppliedException::new, read);
    }

    /** Makes a call that changes names. The token of its commit resolves an unknown outcome. */
    <T> CompletableFuture<T> change(Collection<String> names, Commit commit, Supplier<T> change) {
        return call(
                "changing",
                names,
                commit,
                problem -> new OutcomeUnknownException(problem, commit.token(), null),
                change);
    }

    <T> CompletableFuture<T> change(String name, Commit commit, Supplier<T> change) {
        return change(List.of(name), commit, change);
    }

    CompletableFuture<Void> change(String name, Commit commit, Runnable change) {
        return this.<Void>change(name, commit, () -> {
            change.run();
            return null;
        });
    }

    /** Makes a call that changes a name and may be repeated after any failure, even if {@code call} is a commit. */
    <T> CompletableFuture<T> repeatable(String name, Call call, Supplier<T> change) {
        return call("importing", List.of(name), call, IllegalStateException::new, change);
    }

    CompletableFuture<Void> repeatable(String name, Call call, Runnable change) {
        return this.<Void>repeatable(name, call, () -> {
            change.run();
            return null;
        });
    }

    /** Makes a call without faults. */
    static <T> CompletableFuture<T> answer(Supplier<T> call) {
        try {
            return CompletableFuture.completedFuture(call.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> CompletableFuture<T> call(
            String what,
            Collection<String> names,
            @Nullable Call waiting,
            Function<String, RuntimeException> unknown,
            Supplier<T> call) {
        Injection injection = faults.isEmpty() ? null : faults.nextHit(names);
        if (injection == null) {
            return answer(call);
        }
        String problem = problem(what, names, injection.fault());
        if (injection.fault() == Fault.FAIL) {
            return CompletableFuture.failedFuture(new NotAppliedException(problem));
        }
        RuntimeException lost = unknown.apply(problem); // before the call: generates the token that the store remembers
        if (injection.fault() == Fault.LOSE_REPLY) {
            return answer(call).handle((value, failure) -> {
                throw lost;
            });
        }
        CompletableFuture<T> held = injection.hold().thenApply(released -> call.get());
        return callerRuns && waiting != null ? await(held, waiting, lost) : held;
    }

    /** Blocks the caller, whose thread makes the call, until the call is released or its deadline passes. */
    private static <T> CompletableFuture<T> await(CompletableFuture<T> held, Call call, RuntimeException unknown) {
        try {
            held.get(call.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return held;
        } catch (TimeoutException e) {
            return CompletableFuture.failedFuture(unknown);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(unknown);
        }
        return held;
    }

    private static String problem(String what, Collection<String> names, Fault fault) {
        String happened = switch (fault) {
            case FAIL -> "it failed on the way to the store";
            case LOSE_REPLY -> "its reply was lost";
            case HOLD -> "it is held back";
        };
        return what + " " + (names.isEmpty() ? "names" : Reasons.names(names)) + ": " + happened
                + ", as injected by a test";
    }
}
