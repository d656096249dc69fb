package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Futures;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.Reads.Failures;
import io.counterkit.tck.internal.fault.Reads.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes and reads with faults at their calls to the store, and compares the reported outcomes with the stored
 * state, immediately and again at the end.
 */
public final class Trials {
    /** The longest time of a call, whatever its deadline. */
    private static final int LONGEST_SECONDS = 60;

    private final Stage stage;
    private final List<Decided> decided = new ArrayList<>();
    private int trials;

    public Trials(Stage stage) {
        this.stage = stage;
    }

    /** Makes the parts of one change and returns whether a fault hit a call. */
    public boolean change(String label, List<Part> parts, InjectedFaults faults) {
        trials++;
        List<CompletableFuture<?>> sent = new ArrayList<>();
        List<@Nullable Throwable> failures = new ArrayList<>();
        boolean isHit;
        try (faults) {
            parts.forEach(part -> sent.add(send(part)));
            sent.forEach(each -> failures.add(failureOf(each, label)));
            isHit = faults.isHit();
        }
        sendSomethingElse(stage.acting());
        for (int i = 0; i < parts.size(); i++) {
            check(
                    label + (parts.size() == 1 ? "" : ", part " + (i + 1) + " of " + parts.size()),
                    parts.get(i),
                    failures.get(i));
        }
        return isHit;
    }

    /** Makes the parts of one change while an interrupt of the calling thread is pending. */
    public void interrupted(String label, List<Part> parts) {
        List<CompletableFuture<?>> sent = parts.stream()
                .<CompletableFuture<?>>map(part -> interrupted(label, () -> send(part)))
                .toList();
        for (int i = 0; i < parts.size(); i++) {
            check(label, parts.get(i), failureOf(sent.get(i), label));
        }
    }

    /** Reads while an interrupt of the calling thread is pending. */
    public void interrupted(String label, Read read) {
        CompletableFuture<Object> sent = interrupted(label, () -> send(read.start()));
        if (failureOf(sent, label) == null) {
            assertThat(sent.join()).as("%s: the value read", label).isEqualTo(read.right());
        }
    }

    /**
     * Makes a call while an interrupt of the calling thread is pending, and checks that it is still pending afterwards.
     */
    public static <T extends @Nullable Object> T interrupted(String label, Supplier<T> call) {
        Thread.currentThread().interrupt();
        try {
            return call.get();
        } finally {
            assertThat(Thread.interrupted())
                    .as("%s: the interrupt status of the caller, which was set before", label)
                    .isTrue();
        }
    }

    /** Makes a change and holds one of its calls until the outcome is known. Returns whether a call was held. */
    public boolean late(String label, List<Part> parts, InjectedFaults held) {
        List<Decided> outcomes = new ArrayList<>();
        boolean isHit;
        try (held) {
            List<CompletableFuture<?>> sent =
                    parts.stream().<CompletableFuture<?>>map(Trials::send).toList();
            List<@Nullable Throwable> failures = new ArrayList<>();
            sent.forEach(each -> failures.add(failureOf(each, label)));
            isHit = held.endUnlessHit();
            for (int i = 0; i < parts.size(); i++) {
                Decided outcome = new Decided(label, parts.get(i), isApplied(label, failures.get(i)));
                outcomes.add(outcome);
                if (failures.get(i) == null) {
                    outcome.check(); // before the held call is carried out
                }
            }
        }
        sendSomethingElse(stage.acting());
        outcomes.forEach(Decided::check);
        decided.addAll(outcomes);
        return isHit;
    }

    /**
     * Compares all reported outcomes with the stored state again, after late retries in the background have arrived.
     */
    public void checkAgain() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        decided.forEach(Decided::check);
    }

    private void check(String label, Part part, @Nullable Throwable failure) {
        Function<IdempotencyToken, CompletableFuture<?>> repeat = part.repeat();
        IdempotencyToken unknown =
                failure instanceof OutcomeUnknownException e && part.again() == null ? e.token() : null;
        if (unknown != null && repeat != null && trials % 2 == 0) {
            assertThat(failureOf(repeat.apply(unknown), label))
                    .as("%s: the failure of the same change, repeated with the token of its unknown outcome", label)
                    .isNull();
            decide(new Decided(label + ", unknown and repeated with its token", part, true));
        } else if (failure == null
                || (failure instanceof CounterException cause
                        && (part.again() == null || cause.outcome() == Outcome.NOT_APPLIED))) {
            Decided outcome = new Decided(label, part, isApplied(label, failure));
            if (failure instanceof NotAppliedException && repeat != null) {
                outcome.check();
                makeAgain(label, part);
            } else {
                decide(outcome);
            }
        } else {
            assertThat(part.state().get())
                    .as("%s, failed with %s: the stored state", label, failure)
                    .isIn(part.before(), part.after());
            Supplier<CompletableFuture<?>> again = part.again();
            assertThat(failureOf(start(again == null ? part.start() : again), label))
                    .as("%s: the failure of the same change, repeated without a fault", label)
                    .isNull();
            decide(new Decided(label + ", repeated without a fault", part, true));
        }
    }

    /** Makes a change again that was not applied, in the same process and with the same token if it has one. */
    private void makeAgain(String label, Part part) {
        String again = label + ", reported as not applied and made again";
        Throwable failure = failureOf(send(part), again);
        assertThat(failure instanceof ChangeRefusedException)
                .as("%s: whether it is refused, although it fits its subject as before: %s", again, failure)
                .isFalse();
        decide(new Decided(again, part, isApplied(again, failure)));
    }

    private void decide(Decided outcome) {
        outcome.check();
        decided.add(outcome);
    }

    private boolean isApplied(String label, @Nullable Throwable failure) {
        if (failure == null) {
            return true;
        }
        assertThat(failure)
                .as("%s: the failure of a change, which must state its outcome", label)
                .isInstanceOf(CounterException.class);
        return failure instanceof OutcomeUnknownException unknown
                && Outcomes.isApplied(stage.observing(), unknown.token());
    }

    /**
     * Reads with faults at its calls and checks that the result is the correct value or a failure. Returns whether a
     * fault hit a call.
     */
    public boolean read(String label, Read read, InjectedFaults faults) {
        try (faults) {
            check(label, read, send(read.start()));
            return faults.isHit();
        }
    }

    /**
     * Reads on another thread while one of its calls is held, at most for {@code patience}, and checks that the result
     * is the correct value or a failure. Returns whether a call was held.
     */
    public static boolean heldRead(
            String label, Read read, InjectedFaults hold, ConcurrentTasks tasks, Duration patience) throws Exception {
        Future<Boolean> checked = tasks.start(() -> {
            check(label, read, send(read.start()));
            return true;
        });
        boolean isHit;
        try (hold) {
            ConcurrentTasks.await(checked::isDone, patience);
            isHit = hold.isHit();
        }
        return ConcurrentTasks.result(checked) && isHit;
    }

    private static void check(String label, Read read, CompletableFuture<Object> answer) {
        Throwable failure = failureOf(answer, label);
        if (failure == null) {
            assertThat(answer.join()).as("%s: the value read", label).isEqualTo(read.right());
        } else if (read.failures() != Failures.ANY || failure instanceof CounterException) {
            assertThat(failure).as("%s: the failure of a read", label).isInstanceOf(CounterException.class);
            assertThat(((CounterException) failure).outcome())
                    .as("%s: the outcome of a read that failed with %s", label, failure)
                    .isIn(
                            read.failures() == Failures.NOT_APPLIED
                                    ? List.of(Outcome.NOT_APPLIED)
                                    : List.of(Outcome.NOT_APPLIED, Outcome.UNKNOWN));
        }
    }

    /** Makes another add, since a backend may send a postponed call with its next one. */
    private static void sendSomethingElse(Counters acting) {
        failureOf(send(() -> acting.counter("tck/something else").async().add(1)), "another add");
    }

    private static CompletableFuture<?> send(Part part) {
        return start(part.start());
    }

    private static CompletableFuture<?> start(Supplier<? extends CompletableFuture<?>> change) {
        try {
            return change.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T> CompletableFuture<T> send(Supplier<? extends CompletableFuture<T>> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static @Nullable Throwable failureOf(CompletableFuture<?> future, String label) {
        try {
            future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            Throwable failure = Futures.unwrap(e);
            if (failure instanceof AssertionError wrong) {
                throw new AssertionError(label + ": " + wrong.getMessage(), wrong);
            }
            return failure;
        } catch (TimeoutException e) {
            throw new AssertionError(label + ": no answer within " + LONGEST_SECONDS + " seconds", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(label + ": interrupted", e);
        }
    }

    private record Decided(String label, Part part, boolean isApplied) {
        void check() {
            assertThat(part.state().get())
                    .as("%s, reported as %s: the stored state", label, isApplied ? "applied" : "not applied")
                    .isEqualTo(isApplied ? part.after() : part.before());
        }
    }
}
