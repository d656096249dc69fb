package io.counterkit.tck.chapter.outcome;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Adds to a counter and appends to a sequence while it is interrupted, and records the outcomes. */
public final class InterruptedCaller implements Callable<Boolean> {
    private static final int LONGEST_MICROS = 2_000;

    private final Counter counter;
    private final Sequence sequence;
    private final AtomicBoolean over;
    private final AtomicInteger calls = new AtomicInteger();
    private final Book adds = new Book();
    private final Book appends = new Book();
    private volatile @Nullable Thread thread;

    public InterruptedCaller(Counter counter, Sequence sequence, AtomicBoolean over) {
        this.counter = counter;
        this.sequence = sequence;
        this.over = over;
    }

    @Override
    public Boolean call() {
        thread = Thread.currentThread();
        while (!over.get()) {
            adds.call(counter::increment);
            appends.call(sequence::next);
            calls.incrementAndGet();
        }
        return true;
    }

    /** Interrupts the caller {@code times} times, each after a further call and at a random moment. */
    public void interruptOften(int times, Random random) {
        int seen = 0;
        for (int i = 0; i < times; i++) {
            int before = seen;
            ConcurrentTasks.awaitBriefly(() -> calls.get() > before);
            seen = calls.get();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(LONGEST_MICROS)));
            Thread caller = thread;
            if (caller != null) {
                caller.interrupt();
            }
        }
    }

    /** Returns how many adds were applied. Call it after the task has ended. */
    public long adds(Predicate<IdempotencyToken> isApplied) {
        return adds.applied(isApplied);
    }

    /** Returns how many entries were appended. Call it after the task has ended. */
    public long appends(Predicate<IdempotencyToken> isApplied) {
        return appends.applied(isApplied);
    }

    /** The outcomes of changes of one kind. */
    private static final class Book {
        private final List<IdempotencyToken> unknown = new ArrayList<>();
        private long acknowledged;

        void call(Runnable change) {
            try {
                change.run();
                acknowledged++;
            } catch (OutcomeUnknownException e) {
                unknown.add(e.token());
            } catch (NotAppliedException e) {
                // not counted
            } finally {
                Thread.interrupted();
            }
        }

        long applied(Predicate<IdempotencyToken> isApplied) {
            return acknowledged + unknown.stream().filter(isApplied).count();
        }
    }
}
