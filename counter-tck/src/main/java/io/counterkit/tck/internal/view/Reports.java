package io.counterkit.tck.internal.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.CounterOverflowException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.Outcomes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reports that a listener of a counter or a sequence receives. Each report begins a read, as in a watch or a
 * follower. A report that comes before its change is stored does not suffice, since no other read follows.
 */
public final class Reports {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    /** How many reads of an outage fail. */
    private static final int OUTAGE = 5;

    private final String name;
    private final Supplier<? extends CompletableFuture<?>> read;
    private final AtomicLong count = new AtomicLong();
    private volatile CompletableFuture<Object> last = CompletableFuture.completedFuture("nothing");
    private @Nullable Listening listening;
    private long closedAt;

    private Reports(String name, Supplier<? extends CompletableFuture<?>> read) {
        this.name = name;
        this.read = read;
    }

    /**
     * Listens to a name. Returns null if the backend does not listen.
     *
     * @param listen starts to listen
     * @param read reads what the changes affect: the total, or the tail
     */
    public static @Nullable Reports of(
            String name,
            Function<Runnable, @Nullable Listening> listen,
            Supplier<? extends CompletableFuture<?>> read) {
        Reports reports = new Reports(name, read);
        reports.listening = listen.apply(reports::add);
        return reports.listening == null ? null : reports;
    }

    /** Listens to a counter. Returns null if the backend does not listen. */
    public static @Nullable Reports ofCounter(CounterStore counters, String name, Supplier<Commit> commits) {
        return of(name, changed -> counters.listen(name, changed), () -> total(counters, name, commits.get()));
    }

    /** Listens to a sequence. Returns null if the backend does not listen. */
    public static @Nullable Reports ofSequence(SequenceStore sequences, String name, Supplier<Commit> commits) {
        return of(name, changed -> sequences.listen(name, changed), () -> sequences.tail(name, commits.get()));
    }

    /** Reads a total, which may be out of range. */
    public static CompletableFuture<?> total(CounterStore counters, String name, Call call) {
        return counters.read(List.of(name), Duration.ZERO, call)
                .thenApply(totals -> totals.get(0))
                .thenApply(total -> total.failure() instanceof CounterOverflowException
                        ? "a total out of range"
                        : (Object) total.orThrow().value());
    }

    /** Makes a change, and checks that it is reported to this listener although {@code other} closes itself. */
    public void checkReportedWhileClosing(ClosingListener other, Runnable change) {
        awaitLive();
        other.arm();
        checkReported(List.of(this), "a change whose report makes another listener close itself", change);
        await("the end of a listener of '" + name + "' that closes itself when it is called")
                .atMost(ConcurrentTasks.PATIENCE)
                .until(other::isClosed);
    }

    private synchronized void add() {
        try {
            last = read.get().thenApply(answer -> answer);
        } catch (RuntimeException e) {
            last = CompletableFuture.failedFuture(e);
        }
        count.incrementAndGet();
    }

    /** Returns the name that it listens to. */
    public String name() {
        return name;
    }

    /** Ends the reports. */
    public void close() {
        if (listening != null) {
            listening.close();
        }
        closedAt = count.get();
    }

    /** Checks that nothing was reported after {@link #close}, apart from a report that was under way. */
    public void checkClosed() {
        assertThat(count.get() - closedAt)
                .as("the number of reports of '%s' after the listener was closed; one may have been under way", name)
                .isLessThanOrEqualTo(1);
    }

    /**
     * Waits until the listener is live. Reads meanwhile, since a backend may report only changes that follow a read.
     */
    public void awaitLive() {
        await("a listener of '" + name + "' that is live")
                .pollInSameThread()
                .atMost(ConcurrentTasks.PATIENCE)
                .pollDelay(Duration.ZERO) // a listener that is already live misses nothing from then on
                .pollInterval(POLL_INTERVAL.multipliedBy(10))
                .until(() -> {
                    read.get().join();
                    return isLive();
                });
    }

    /**
     * Makes reads fail, and checks that a listener that is not live meanwhile is called later: it may have missed
     * changes.
     */
    public static void checkOutage(List<Reports> listeners, Supplier<InjectedFault> failNextCall) {
        List<Long> before = listeners.stream().map(each -> each.count.get()).toList();
        Set<Integer> interrupted = new TreeSet<>();
        for (int read = 0; read < OUTAGE; read++) {
            InjectedFault failing = failNextCall.get();
            Throwable unused = Outcomes.failureOf(listeners.get(0).read.get());
            failing.close();
            for (int i = 0; i < before.size(); i++) {
                if (!listeners.get(i).isLive()) {
                    interrupted.add(i);
                }
            }
        }
        listeners.forEach(Reports::awaitLive);
        for (int i : interrupted) {
            await("a call of a listener of '" + listeners.get(i).name + "', which is live again after an outage")
                    .atMost(ConcurrentTasks.PATIENCE)
                    .until(() -> listeners.get(i).count.get() > before.get(i));
        }
    }

    private boolean isLive() {
        return listening != null && listening.isLive();
    }

    /** Makes a change, and checks that it is reported to each listener when it can be read. */
    public static void checkReported(List<Reports> listeners, String what, Runnable change) {
        List<Long> before = listeners.stream().map(each -> each.count.get()).toList();
        change.run();
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).awaitMore(before.get(i), what);
        }
    }

    /**
     * The same for a change one of whose calls loses its reply. Makes the change again unless it was applied.
     *
     * @param loseReply lets the next call lose its reply
     * @param isApplied makes a change and returns whether it was applied
     */
    public static void checkReportedWithoutReply(
            List<Reports> listeners,
            String what,
            Supplier<InjectedFault> loseReply,
            Predicate<Runnable> isApplied,
            Runnable change) {
        checkReported(listeners, what + " whose reply was lost", () -> {
            boolean isDone;
            try (InjectedFault lost = loseReply.get()) {
                isDone = isApplied.test(change) && lost.isHit();
            }
            if (!isDone) {
                change.run();
            }
        });
    }

    private void awaitMore(long before, String what) {
        Object changed = read.get().join();
        await("a report of " + what + " to a listener of '" + name + "', after which a read returns " + changed)
                .atMost(ConcurrentTasks.PATIENCE)
                .pollInterval(POLL_INTERVAL)
                .untilAsserted(() -> {
                    assertThat(count.get() - before).as("the number of reports").isPositive();
                    assertThat(last.getNow("no answer"))
                            .as("the answer of the read that began at the last report")
                            .isEqualTo(changed);
                });
    }
}
