package io.counterkit.migration;

import io.counterkit.migration.MigrationReport.Part;
import io.counterkit.migration.internal.job.CallerLoop;
import io.counterkit.migration.internal.job.EntryCopier;
import io.counterkit.migration.internal.job.MoveThrottle;
import io.counterkit.migration.internal.job.NameScan;
import io.counterkit.migration.internal.job.Progress;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.migration.internal.job.RunControl;
import io.counterkit.migration.internal.routing.BulkRead;
import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves the names that the source lists, including those that no process uses: first counters, then sequences, and on
 * request the entries of sequences. A failure of one name does not stop the others, but if the target imports nothing,
 * no further name is sealed.
 *
 * <pre>{@code
 * MigrationReport report = MigrationJob.over(backend, MigrationJobOptions.defaults()).run();
 * }</pre>
 *
 * <p>All progress is stored in the stores themselves, as seals, imported states and entries. A job may be killed at any
 * point and run again, and several processes may run it at once, each with a {@linkplain
 * MigrationJobOptions.Builder#share share} of the names or with all. Where the time of a request is limited, as on App
 * Engine, run it in steps and pass {@link MigrationReport#next()} from one step to the next, for example in a task
 * queue. If a store is bound to the calling thread, the job calls it on that thread.
 *
 * <p>An eventually consistent source may list a name late: run the job again when the index has caught up, and then
 * {@link MigrationVerifier}. The history that a store may keep of a counter is not copied.
 *
 * <p>An entry that is erased while it is copied is erased in the copy too. A process that runs with the source alone
 * erases at the source only, even after the seal, so an earlier copy keeps the fields. Run the job again, or
 * erase the entry again by a process that runs with this backend. The verifier reports such entries.
 *
 * <p>Not thread-safe: several jobs may run at once, but each on one thread at a time.
 */
public final class MigrationJob {
    private static final String COUNTERS = "counters";
    private static final String SEQUENCES = "sequences";

    private final MigratingBackend backend;
    private final MigrationJobOptions options;
    private final EntryCopier copier;
    private final CallerLoop loop;
    private final MoveThrottle throttle;
    private final RetryingCalls calls;
    private final RunControl<MigrationReport> control;
    private boolean isResumed;

    /**
     * The last move. Until a move has succeeded, each move waits for the one before, so that only one name is sealed if
     * the target imports nothing.
     */
    private CompletableFuture<?> lastMove = CompletableFuture.completedFuture(true);

    private volatile boolean hasMoved;

    private MigrationReport report = MigrationReport.EMPTY;

    private MigrationJob(MigratingBackend backend, MigrationJobOptions options) {
        this.backend = backend;
        this.options = options;
        this.loop = new CallerLoop(options.deadline(), backend.timers());
        this.calls = new RetryingCalls(loop);
        this.control = new RunControl<>(options.listener(), options.stop());
        this.throttle = new MoveThrottle(options.ramp(), loop, control::nanosLeft);
        this.copier = new EntryCopier(
                backend.source(),
                backend.target(),
                options.dryRun(),
                loop,
                calls,
                throttle,
                backend.options().random(),
                this::countEntries);
    }

    /**
     * Creates a job over {@code backend}, whose {@link Rollout} selects the names to move. The job does not close the
     * backend.
     *
     * @throws IllegalArgumentException if the deadline of {@code options} is longer than half of the backend's
     *     retention
     */
    public static MigrationJob over(MigratingBackend backend, MigrationJobOptions options) {
        Limits.checkDeadline(options.deadline(), backend.retention());
        return new MigrationJob(backend, options);
    }

    /**
     * Checks a position without accessing a store.
     *
     * @param position {@link MigrationReport#next()} of another run
     * @throws IllegalArgumentException if the position is invalid
     */
    public static void checkPosition(String position) {
        NameScan.checkPosition(position, List.of(COUNTERS, SEQUENCES));
    }

    /**
     * Runs to the end, or until the condition of {@link MigrationJobOptions.Builder#stopWhen} is true.
     *
     * @throws io.counterkit.NotAppliedException if the names could not be listed; all moves so far stay done
     * @throws InterruptedException if the thread is interrupted; all moves so far stay done
     */
    public MigrationReport run() throws InterruptedException {
        return runFor(Duration.ofDays(10_000), null);
    }

    /**
     * Runs for about this time. Then starts nothing more and waits for the running calls.
     *
     * @param position {@link MigrationReport#next()} of the previous step, or null to start
     * @throws IllegalArgumentException if the position is invalid
     * @throws io.counterkit.NotAppliedException if the names could not be listed; all moves so far stay done
     * @throws InterruptedException if the thread is interrupted; all moves so far stay done
     */
    public MigrationReport runFor(Duration time, @Nullable String position) throws InterruptedException {
        report = MigrationReport.EMPTY;
        isResumed = position != null;
        lastMove = CompletableFuture.completedFuture(true);
        hasMoved = false;
        control.start(time);
        List<NameScan.Stage> stages = List.of(
                new NameScan.Stage(COUNTERS, "counters of the source", backend.source(), ChangeTarget.Kind.COUNTER),
                new NameScan.Stage(SEQUENCES, "sequences of the source", backend.source(), ChangeTarget.Kind.SEQUENCE));
        String stopped = new NameScan(loop, calls, options.prefix(), options.inFlight(), control::isOver)
                .run(stages, position, new Mover());
        control.rethrow();
        return report.endingAt(stopped);
    }

    private void count(ChangeTarget.Kind kind, Part part) {
        report = report.plus(kind, part);
        control.report(report);
    }

    private void countEntries(Part entries) {
        count(ChangeTarget.Kind.SEQUENCE, entries);
    }

    /** Moves the names of a scan. */
    private final class Mover implements NameScan.Visitor<List<CompletableFuture<MoveStatus>>> {
        @Override
        public CompletableFuture<List<CompletableFuture<MoveStatus>>> readPage(
                NameScan.Stage stage, List<String> names) {
            return BulkRead.read(names, some -> calls.retry(call -> backend.statuses(stage.kind(), some, call)));
        }

        /** Adds a failure to the report; the next step does not try the name again. */
        @Override
        public CompletableFuture<Progress> visit(
                NameScan.Stage stage, List<CompletableFuture<MoveStatus>> page, int index, String name, long entries) {
            if (!options.isInShare(name)) {
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            return page.get(index)
                    .thenCompose(status -> visit(stage.kind(), name, status, entries))
                    .exceptionally(failure -> {
                        report = report.plus(new MigrationReport.Failure(stage.kind(), name, Reasons.of(failure)));
                        control.report(report);
                        return Progress.COMPLETE;
                    });
        }

        private CompletableFuture<Progress> visit(
                ChangeTarget.Kind kind, String name, MoveStatus status, long entries) {
            ImportedState base = status.base();
            if (status.isMoved() && base != null) {
                backend.checkMoved(kind, name, status);
                count(kind, Part.ofAlreadyMoved());
                return copyEntries(kind, name, base, entries);
            }
            // A started move is completed regardless of the rollout; an inconsistent one, with a base and no seal,
            // fails.
            boolean isStarted = status.source().seal() != null || base != null;
            if (!isStarted && !backend.options().rollout().includes(kind, name)) {
                count(kind, Part.ofWaiting());
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            return options.dryRun() ? countMove(kind, name) : move(kind, name);
        }

        private CompletableFuture<Progress> move(ChangeTarget.Kind kind, String name) {
            return throttle.acquire(1)
                    .thenCompose(isAcquired -> isAcquired
                            ? moveAfterTheFirst(kind, name).thenCompose(base -> {
                                count(kind, Part.ofMoved());
                                return copyEntries(kind, name, base, 0);
                            })
                            : CompletableFuture.completedFuture(Progress.upTo(0)));
        }

        private CompletableFuture<ImportedState> moveAfterTheFirst(ChangeTarget.Kind kind, String name) {
            CompletableFuture<?> before =
                    hasMoved ? CompletableFuture.completedFuture(true) : lastMove.handle((moved, failure) -> true);
            CompletableFuture<ImportedState> move =
                    before.thenCompose(over -> calls.retry(call -> backend.move(kind, name, call)));
            lastMove = move.thenAccept(base -> hasMoved = true);
            return move;
        }

        private CompletableFuture<Progress> copyEntries(
                ChangeTarget.Kind kind, String name, ImportedState base, long done) {
            if (kind == ChangeTarget.Kind.COUNTER || base.last() == 0) {
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            if (!options.copyEntries()) {
                countEntries(Part.ofEntries(0, 0, base.last()));
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            return copier.copy(name, base.last(), isResumed, done);
        }

        /** Counts a name, and the entries that it has now, as moved, unless a move would be refused. */
        private CompletableFuture<Progress> countMove(ChangeTarget.Kind kind, String name) {
            return calls.retry(call -> backend.checkTarget(kind, name, call))
                    .thenCompose(hasPlace -> countPossible(kind, name));
        }

        private CompletableFuture<Progress> countPossible(ChangeTarget.Kind kind, String name) {
            count(kind, Part.ofMoved());
            if (kind == ChangeTarget.Kind.COUNTER) {
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            return calls.retry(call -> backend.source().sequences().tail(name, call))
                    .thenApply(tail -> {
                        countEntries(
                                options.copyEntries()
                                        ? Part.ofEntries(tail.last(), 0, 0)
                                        : Part.ofEntries(0, 0, tail.last()));
                        return Progress.COMPLETE;
                    });
        }
    }
}
