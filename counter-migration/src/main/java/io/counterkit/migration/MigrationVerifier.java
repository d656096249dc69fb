package io.counterkit.migration;

import io.counterkit.Seal;
import io.counterkit.migration.VerificationReport.Difference;
import io.counterkit.migration.internal.job.CallerLoop;
import io.counterkit.migration.internal.job.NameScan;
import io.counterkit.migration.internal.job.Progress;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.migration.internal.job.RunControl;
import io.counterkit.migration.internal.routing.BulkRead;
import io.counterkit.migration.internal.routing.ImportCheck;
import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.migration.internal.verify.SequenceCheck;
import io.counterkit.migration.internal.verify.StatePair;
import io.counterkit.migration.internal.verify.TotalCheck;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares source and target of each name, and reports every difference. Changes nothing, and may run while the
 * application is running and names move. Scans first the names of the source, and then those of the target.
 *
 * <p>For each name that is sealed or was imported, it checks that the seal has this migration's address, and that the
 * target was imported with the state of the seal. The source must still hold that state, and nothing may have been
 * added to a counter after its seal. For a sequence it also checks that the last number has not decreased, and that the
 * live count follows from the changes. Each entry up to the move must be in the source, and its copy, if there is one,
 * must be equal. Later entries must be in the target without a gap. For any other name it checks that the target does
 * not hold it.
 *
 * <p>Not thread-safe. Steps and threads are as with {@link MigrationJob}.
 */
public final class MigrationVerifier {
    private static final String SOURCE_COUNTERS = "source counters";
    private static final String SOURCE_SEQUENCES = "source sequences";
    private static final String TARGET_COUNTERS = "target counters";
    private static final String TARGET_SEQUENCES = "target sequences";

    private final MigratingBackend backend;
    private final VerificationOptions options;
    private final CallerLoop loop;
    private final RetryingCalls calls;
    private final TotalCheck totalCheck;
    private final SequenceCheck sequenceCheck;
    private final RunControl<VerificationReport> control;
    private VerificationReport report = VerificationReport.EMPTY;

    private MigrationVerifier(MigratingBackend backend, VerificationOptions options) {
        this.backend = backend;
        this.options = options;
        this.loop = new CallerLoop(options.deadline(), backend.timers());
        this.calls = new RetryingCalls(loop);
        this.control = new RunControl<>(options.listener(), options.stop());
        this.totalCheck = new TotalCheck(backend.source(), backend.target(), options.quietTarget(), calls);
        this.sequenceCheck =
                new SequenceCheck(backend.source(), backend.target(), options, calls, RandomGenerator.getDefault());
    }

    /** Creates a verifier of the names that {@code backend} moves. The verifier does not close the backend. */
    public static MigrationVerifier over(MigratingBackend backend, VerificationOptions options) {
        return new MigrationVerifier(backend, options);
    }

    /**
     * Checks a position without accessing a store.
     *
     * @param position {@link VerificationReport#next()} of another run
     * @throws IllegalArgumentException if the position is invalid
     */
    public static void checkPosition(String position) {
        NameScan.checkPosition(position, List.of(SOURCE_COUNTERS, SOURCE_SEQUENCES, TARGET_COUNTERS, TARGET_SEQUENCES));
    }

    /**
     * Runs to the end, or until the condition of {@link VerificationOptions.Builder#stopWhen} is true.
     *
     * @throws io.counterkit.NotAppliedException if a store could not be read
     * @throws InterruptedException if the thread is interrupted
     */
    public VerificationReport run() throws InterruptedException {
        return runFor(Duration.ofDays(10_000), null);
    }

    /**
     * Runs for about this time, as {@link MigrationJob#runFor}.
     *
     * @param position {@link VerificationReport#next()} of the previous step, or null to start
     * @throws IllegalArgumentException if the position is invalid
     * @throws io.counterkit.NotAppliedException if a store could not be read
     * @throws InterruptedException if the thread is interrupted
     */
    public VerificationReport runFor(Duration time, @Nullable String position) throws InterruptedException {
        report = VerificationReport.EMPTY;
        control.start(time);
        List<NameScan.Stage> stages = List.of(
                new NameScan.Stage(
                        SOURCE_COUNTERS, "counters of the source", backend.source(), ChangeTarget.Kind.COUNTER),
                new NameScan.Stage(
                        SOURCE_SEQUENCES, "sequences of the source", backend.source(), ChangeTarget.Kind.SEQUENCE),
                new NameScan.Stage(
                        TARGET_COUNTERS, "counters of the target", backend.target(), ChangeTarget.Kind.COUNTER),
                new NameScan.Stage(
                        TARGET_SEQUENCES, "sequences of the target", backend.target(), ChangeTarget.Kind.SEQUENCE));
        String stopped = new NameScan(loop, calls, options.prefix(), options.inFlight(), control::isOver)
                .run(stages, position, new Comparer());
        control.rethrow();
        return report.endingAt(stopped);
    }

    /** Compares the names of a scan. */
    private final class Comparer implements NameScan.Visitor<List<CompletableFuture<StatePair>>> {
        @Override
        public CompletableFuture<List<CompletableFuture<StatePair>>> readPage(
                NameScan.Stage stage, List<String> names) {
            return BulkRead.read(names, some -> read(stage.kind(), some));
        }

        private CompletableFuture<List<StatePair>> read(ChangeTarget.Kind kind, List<String> names) {
            // Reads the bases last: a name that has one was sealed before.
            return calls.retry(call -> backend.source().migration().states(kind, names, call))
                    .thenCompose(source -> calls.retry(
                                    call -> backend.target().migration().states(kind, names, call))
                            .thenCompose(target -> calls.retry(
                                            call -> backend.target().migration().bases(kind, names, call))
                                    .thenApply(bases -> IntStream.range(0, names.size())
                                            .mapToObj(i -> new StatePair(source.get(i), target.get(i), bases.get(i)))
                                            .toList())));
        }

        @Override
        public CompletableFuture<Progress> visit(
                NameScan.Stage stage, List<CompletableFuture<StatePair>> page, int index, String name, long entries) {
            ChangeTarget.Kind kind = stage.kind();
            boolean isTargetStage = stage.store() == backend.target();
            return page.get(index)
                    .thenCompose(both -> isTargetStage && both.isListedAtSource(kind)
                            ? CompletableFuture.completedFuture(Progress.COMPLETE) // compared in a stage of the source
                            : settled(kind, name, both).thenCompose(settled -> compare(kind, name, settled, entries)))
                    .exceptionally(failure -> {
                        Difference unread = new Difference(kind, name, "could not be read: " + Reasons.of(failure));
                        boolean isReported = report.differences().contains(unread); // in a stage of the source
                        report = isReported ? report : report.plus(unread);
                        return Progress.COMPLETE;
                    })
                    .thenApply(progress -> {
                        control.report(report);
                        return progress;
                    });
        }

        /** Reads a name again if it looks inconsistent, since it may have moved while the page was read. */
        private CompletableFuture<StatePair> settled(ChangeTarget.Kind kind, String name, StatePair both) {
            return both.isMoving()
                    ? read(kind, List.of(name)).thenApply(again -> again.get(0))
                    : CompletableFuture.completedFuture(both);
        }

        /**
         * Compares a name, or the rest of a sequence of which an earlier step has compared the first {@code entries}.
         */
        private CompletableFuture<Progress> compare(ChangeTarget.Kind kind, String name, StatePair both, long entries) {
            MoveStatus status = both.status();
            Seal seal = status.source().seal();
            ImportedState base = status.base();
            Consumer<String> differences = what -> report = report.plus(new Difference(kind, name, what));
            if (seal == null && base == null) {
                compareOpen(status.source(), both.target(), differences);
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            report = entries == 0 ? report.plusCompared(kind) : report;
            if (!ImportCheck.compare(kind, status, backend.options(), entries == 0 ? differences : what -> {})
                    || base == null
                    || seal == null) {
                return CompletableFuture.completedFuture(Progress.COMPLETE);
            }
            return kind == ChangeTarget.Kind.COUNTER
                    ? totalCheck.compare(name, seal, base, differences).thenApply(compared -> Progress.COMPLETE)
                    : sequenceCheck.compare(
                            name,
                            seal,
                            base,
                            entries,
                            differences,
                            compared -> report = report.plusEntries(compared),
                            control::isOver);
        }

        private void compareOpen(NameState source, NameState target, Consumer<String> differences) {
            boolean isAtTarget = target.isPresent() || target.seal() != null;
            if (!source.isPresent()) {
                report = isAtTarget ? report.plusOnlyInTarget() : report;
                return;
            }
            report = report.plusNotMoved();
            if (isAtTarget) {
                differences.accept("the target holds something that was not imported, while the source is open");
            }
        }
    }
}
