package io.counterkit.migration;

import io.counterkit.CountersListener;
import io.counterkit.migration.MigrationReport.Part;
import io.counterkit.migration.internal.job.CallerLoop;
import io.counterkit.migration.internal.job.EntryCopier;
import io.counterkit.migration.internal.job.ListenerGuard;
import io.counterkit.migration.internal.job.MoveThrottle;
import io.counterkit.migration.internal.job.NameScan;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.migration.internal.routing.OneByOne;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves the names that the source lists, so that those move too which nobody uses: counters first, then sequences, and
 * the entries of sequences if that is asked for. A failure of one name does not stop the others.
 *
 * <pre>{@code
 * MigrationReport report = MigrationJob.over(backend, MigrationJobOptions.defaults()).run();
 * }</pre>
 *
 * <p>What was done is in the stores themselves, in seals, bases and entries. So a job may be killed at any point and run
 * again, and several processes may run it at once, each with a {@linkplain MigrationJobOptions.Builder#share share} of
 * the names or with all. Where a request may take so and so long, as on App Engine, work in
 * steps, and hand {@link MigrationReport#next()} from one to the next, for instance in a task queue. On a store that is
 * bound to the calling thread, everything that concerns it is done there.
 *
 * <p>An eventually consistent source may list a name late: run the job again when all has settled, and then
 * {@link MigrationVerifier}. The history that a counter may have in its store is not copied.
 *
 * <p>An entry that was erased while it was copied is erased in the copy too. A process that has the source alone in its
 * configuration erases there only, also after the seal, which it does not meet: a copy that was made before keeps the
 * fields, until the job is run again, or the entry is erased again by a process that migrates. The verifier tells them.
 *
 * <p>Not thread-safe: several jobs may run at once, but each of them on one thread at a time.
 */
public final class MigrationJob {
    private final MigratingBackend backend;
    private final MigrationJobOptions options;
    private final EntryCopier copier;
    private final CallerLoop loop;
    private final MoveThrottle pace;
    private final RetryingCalls attempts;
    private ListenerGuard<MigrationReport> told;
    private long end;
    private boolean isContinued;
    private MigrationReport report = MigrationReport.EMPTY;

    private MigrationJob(MigratingBackend backend, MigrationJobOptions options) {
        this.backend = backend;
        this.options = options;
        this.loop = new CallerLoop(options.deadline(), backend.timers());
        this.attempts = new RetryingCalls(loop);
        this.told = new ListenerGuard<>(options.listener());
        this.pace = new MoveThrottle(options.ramp(), loop, this::nanosLeft);
        this.copier = new EntryCopier(
                backend.source(),
                backend.target(),
                options,
                loop,
                pace,
                backend.options().random(),
                this::onCopied);
    }

    /**
     * A job over this backend, whose {@link Rollout} says which names have their turn. Closing the backend is not its.
     *
     * @throws IllegalArgumentException if the deadline of {@code options} is longer than half of the backend's retention
     */
    public static MigrationJob over(MigratingBackend backend, MigrationJobOptions options) {
        Limits.checkDeadline(options.deadline(), backend.retention());
        return new MigrationJob(backend, options);
    }

    /**
     * Works to the end, or until it is to {@linkplain MigrationJobOptions.Builder#stopWhen stop}.
     *
     * @throws io.counterkit.NotAppliedException if the names could not be listed; what was done stays done
     * @throws InterruptedException if the thread is interrupted; what was done stays done
     */
    public MigrationReport run() throws InterruptedException {
        return runFor(Duration.ofDays(10_000), null);
    }

    /**
     * Works for about this time: begins nothing more after it, and waits for what is under way, which each has the
     * deadline of one call.
     *
     * @param position {@link MigrationReport#next()} of the step before, or null to begin
     * @throws IllegalArgumentException if the position is none
     * @throws io.counterkit.NotAppliedException if the names could not be listed; what was done stays done
     * @throws InterruptedException if the thread is interrupted; what was done stays done
     */
    public MigrationReport runFor(Duration time, @Nullable String position) throws InterruptedException {
        report = MigrationReport.EMPTY;
        told = new ListenerGuard<>(options.listener());
        isContinued = position != null;
        end = System.nanoTime() + time.toNanos();
        NameScan walk = new NameScan(loop, options.prefix(), options.inFlight(), options.deadline(), this::isOver);
        List<NameScan.Stage> stages = List.of(
                new NameScan.Stage("counters", "counters of the source", backend.source(), ChangeTarget.Kind.COUNTER),
                new NameScan.Stage(
                        "sequences", "sequences of the source", backend.source(), ChangeTarget.Kind.SEQUENCE));
        String stopped = walk.run(stages, position, new Mover());
        told.check();
        return report.endingAt(stopped);
    }

    private long nanosLeft() {
        return !told.isToGoOn() || options.stop().getAsBoolean() ? 0 : end - System.nanoTime();
    }

    private boolean isOver() {
        return nanosLeft() <= 0;
    }

    private Call call() {
        return new Call(options.deadline(), CountersListener.disabled());
    }

    private void count(ChangeTarget.Kind kind, Part part) {
        report = report.plus(kind, part);
        told.tell(report);
    }

    private void onCopied(Part entries) {
        count(ChangeTarget.Kind.SEQUENCE, entries);
    }

    /** Moves one name after the other. */
    private final class Mover implements NameScan.Visitor<List<CompletableFuture<MoveStatus>>> {
        @Override
        public CompletableFuture<List<CompletableFuture<MoveStatus>>> open(NameScan.Stage stage, List<String> names) {
            return OneByOne.ask(names, some -> attempts.of(() -> backend.standings(stage.kind(), some, call())));
        }

        @Override
        public CompletableFuture<Boolean> visit(
                NameScan.Stage stage, List<CompletableFuture<MoveStatus>> page, int index, String name) {
            if (!options.isOurs(name)) {
                return CompletableFuture.completedFuture(true);
            }
            return told(
                    stage.kind(), name, page.get(index).thenCompose(standing -> visit(stage.kind(), name, standing)));
        }

        private CompletableFuture<Boolean> visit(ChangeTarget.Kind kind, String name, MoveStatus standing) {
            ImportedState base = standing.base();
            if (standing.isMoved() && base != null) {
                count(kind, Part.ofAlreadyMoved());
                return entries(kind, name, base);
            }
            // What was begun is finished; and what is not as it should be, such as a base without a seal, is told.
            boolean isBegun = standing.source().seal() != null || base != null;
            if (!isBegun && !backend.options().rollout().hasTurn(kind, name)) {
                count(kind, Part.ofWaiting());
                return CompletableFuture.completedFuture(true);
            }
            return options.dryRun() ? wouldMove(kind, name) : move(kind, name);
        }

        private CompletableFuture<Boolean> move(ChangeTarget.Kind kind, String name) {
            return pace.turn(1).thenCompose(hasTurn -> {
                if (!hasTurn) {
                    return CompletableFuture.completedFuture(false);
                }
                return attempts.of(() -> backend.move(kind, name, call())).thenCompose(base -> {
                    count(kind, Part.ofMoved());
                    return entries(kind, name, base);
                });
            });
        }

        private CompletableFuture<Boolean> entries(ChangeTarget.Kind kind, String name, ImportedState base) {
            if (kind == ChangeTarget.Kind.COUNTER || base.last() == 0) {
                return CompletableFuture.completedFuture(true);
            }
            if (!options.copyEntries()) {
                onCopied(Part.ofEntries(0, 0, base.last()));
                return CompletableFuture.completedFuture(true);
            }
            return copier.copy(name, base.last(), isContinued);
        }

        /** Where nothing is to be changed, the entries are those that there are now. */
        private CompletableFuture<Boolean> wouldMove(ChangeTarget.Kind kind, String name) {
            count(kind, Part.ofMoved());
            if (kind == ChangeTarget.Kind.COUNTER) {
                return CompletableFuture.completedFuture(true);
            }
            return attempts.of(() -> backend.source().sequences().tail(name, call()))
                    .thenApply(tail -> {
                        onCopied(
                                options.copyEntries()
                                        ? Part.ofEntries(tail.last(), 0, 0)
                                        : Part.ofEntries(0, 0, tail.last()));
                        return true;
                    });
        }

        /** A failure is a part of the report, and no reason to come again in the next step. */
        private CompletableFuture<Boolean> told(ChangeTarget.Kind kind, String name, CompletableFuture<Boolean> visit) {
            return visit.exceptionally(failure -> {
                report = report.plus(new MigrationReport.Failure(kind, name, Reasons.of(failure)));
                told.tell(report);
                return true;
            });
        }
    }
}
