package io.counterkit.tck.internal.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.view.ViewRead.Names;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The names of one trial of a view. They are changed one after the other. */
public final class ViewTrial {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final View view;
    private final Stage stage;
    private final List<String> changing;
    private final Names names;
    private int changed;

    /**
     * @param changing the names that are changed one after the other
     * @param names these, and those that change with them
     */
    ViewTrial(View view, Stage stage, List<String> changing, Names names) {
        this.view = view;
        this.stage = stage;
        this.changing = changing;
        this.names = names;
    }

    /** Changes the next name in the observing process. */
    public void change() {
        change(stage.observingBackend(), next());
    }

    /** Changes the next name in the acting process, and checks what both processes read. */
    public void changeAndCheck() {
        read();
        change(stage.actingBackend(), next());
        check("immediately afterwards");
    }

    /** Changes a name. Sends the change again if it was not applied, as after contention or while the name is moved. */
    private void change(CounterBackend process, String name) {
        ViewChange change = view.change();
        if (change.parts().isEmpty()) {
            repeat(process, name, change.sent());
            return;
        }
        Throwable failure = failure(() -> change.sent().to(process, name, stage.commit()));
        if (failure instanceof CounterException) {
            change.parts().forEach(part -> repeat(process, name, part));
        } else if (failure != null) {
            throw new IllegalStateException(change.label() + " failed", failure);
        }
    }

    /** Sends a change until it is applied. */
    private void repeat(CounterBackend process, String name, ViewChange.Sent sent) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(PAUSE)
                .atMost(ConcurrentTasks.PATIENCE)
                .untilAsserted(() -> {
                    Throwable failure = failure(() -> sent.to(process, name, stage.commit()));
                    boolean isRepeatable = failure instanceof NotAppliedException
                            || (failure instanceof CounterException
                                    && view.change().target() == null);
                    if (isRepeatable) {
                        throw new AssertionError(view.change().label() + " failed", failure);
                    }
                    if (failure != null) {
                        throw new IllegalStateException(view.change().label() + " failed", failure);
                    }
                });
    }

    private String next() {
        return changing.get(changed++);
    }

    /**
     * Changes the next name in the acting process, whose calls have faults, and again in the observing one unless the
     * change was applied. Returns whether a fault hit a call.
     */
    public boolean change(InjectedFaults faults) {
        String name = next();
        Commit commit = stage.actingCommit();
        IdempotencyToken token = commit.token();
        boolean isApplied;
        boolean isHit;
        try (faults) {
            isApplied = failure(() -> view.change().sent().to(stage.actingBackend(), name, commit)) == null;
            isHit = faults.isHit();
        }
        Function<String, ChangeTarget> target = view.change().target();
        if (!isApplied && target != null) {
            isApplied = stage.observingBackend()
                    .resolve(token, target.apply(name), stage.commit())
                    .join()
                    .applied();
        }
        if (!isApplied) {
            change(stage.observingBackend(), name);
        }
        return isHit;
    }

    /** Returns the failure of a call, or null. */
    private static @Nullable Throwable failure(Supplier<? extends CompletableFuture<?>> call) {
        try {
            call.get().join();
            return null;
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** Checks what both processes read. */
    public void check(String doing) {
        Runnable read = () -> {
            check(stage.observingBackend(), doing + ", in another process");
            check(stage.actingBackend(), doing + ", in the same process");
        };
        if (view.isOfList()) {
            stage.lists().accept(read);
        } else {
            read.run();
        }
    }

    private void check(CounterBackend process, String doing) {
        assertShown(read(process, stage.commit()).join(), doing);
    }

    /** Checks what the acting process reads. */
    public void checkActing(String doing) {
        check(stage.actingBackend(), doing);
    }

    /** Reads in the acting process, without a check. */
    public void read() {
        read(stage.actingBackend(), stage.commit()).join();
    }

    /**
     * Reads in the acting process while its calls have faults. Checks an answer. Returns whether a fault hit a call.
     */
    public boolean read(String doing, InjectedFaults faults) {
        try (faults) {
            Object answer;
            try {
                answer = read(stage.actingBackend(), stage.actingCommit())
                        .handle((number, failure) -> failure == null ? (Object) number : failure)
                        .join();
            } catch (RuntimeException e) {
                answer = e;
            }
            boolean isHit = faults.isHit();
            if (!(answer instanceof Throwable)) {
                assertShown(answer, doing);
            }
            return isHit;
        }
    }

    private CompletableFuture<Long> read(CounterBackend process, Commit commit) {
        return view.read().of().in(process, names, commit);
    }

    private void assertShown(Object shown, String doing) {
        assertThat(shown)
                .as(
                        "%s, made for %s of %s names, %s: the number returned by %s, %s for each %s name",
                        view.change().label(),
                        changed,
                        changing.size(),
                        doing,
                        view.read().label(),
                        view.each(),
                        view.isFalling() ? "unchanged" : "changed")
                .isEqualTo((long) view.each() * (view.isFalling() ? changing.size() - changed : changed));
    }
}
