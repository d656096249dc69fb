package io.counterkit.migration;

import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.migration.VerificationReport.Difference;
import io.counterkit.migration.internal.job.CallerLoop;
import io.counterkit.migration.internal.job.ListenerGuard;
import io.counterkit.migration.internal.job.NameScan;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.migration.internal.routing.OneByOne;
import io.counterkit.migration.internal.verify.BaseCheck;
import io.counterkit.migration.internal.verify.SequenceCheck;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what source and target hold of each name, and names every difference. Repairs nothing, and may run while the
 * application works and names move. Works through the names of the source, and then through those of the target.
 *
 * <p>Of each name that is sealed or was imported: the seal has this migration's address, the source still holds what
 * its seal says, and the target began with just that. Of a sequence besides: the last number is not less than it was,
 * each entry up to it is in the source and, where it is in the target too, equal there, those after it are in the target
 * without a gap, and the live count goes from entry to entry as their changes say. Of all other names: nothing is at the
 * target.
 *
 * <p>Not thread-safe. Steps and threads are as with {@link MigrationJob}.
 */
public final class MigrationVerifier {
    private final MigratingBackend backend;
    private final VerificationOptions options;
    private final CallerLoop loop;
    private final RetryingCalls attempts;
    private final SequenceCheck sequenceCheck;
    private ListenerGuard<VerificationReport> told;
    private long end;
    private VerificationReport report = VerificationReport.EMPTY;

    private MigrationVerifier(MigratingBackend backend, VerificationOptions options) {
        this.backend = backend;
        this.options = options;
        this.loop = new CallerLoop(options.deadline(), backend.timers());
        this.attempts = new RetryingCalls(loop);
        this.told = new ListenerGuard<>(options.listener());
        this.sequenceCheck =
                new SequenceCheck(backend.source(), backend.target(), options, attempts, RandomGenerator.getDefault());
    }

    /** A verifier of what this backend moves. Closing the backend is not its. */
    public static MigrationVerifier over(MigratingBackend backend, VerificationOptions options) {
        return new MigrationVerifier(backend, options);
    }

    /**
     * Works to the end, or until it is to {@linkplain VerificationOptions.Builder#stopWhen stop}.
     *
     * @throws io.counterkit.NotAppliedException if a store could not be read
     * @throws InterruptedException if the thread is interrupted
     */
    public VerificationReport run() throws InterruptedException {
        return runFor(Duration.ofDays(10_000), null);
    }

    /**
     * Works for about this time, as {@link MigrationJob#runFor}.
     *
     * @param position {@link VerificationReport#next()} of the step before, or null to begin
     * @throws IllegalArgumentException if the position is none
     * @throws io.counterkit.NotAppliedException if a store could not be read
     * @throws InterruptedException if the thread is interrupted
     */
    public VerificationReport runFor(Duration time, @Nullable String position) throws InterruptedException {
        report = VerificationReport.EMPTY;
        told = new ListenerGuard<>(options.listener());
        end = System.nanoTime() + time.toNanos();
        NameScan walk = new NameScan(loop, options.prefix(), options.inFlight(), options.deadline(), this::isOver);
        List<NameScan.Stage> stages = List.of(
                new NameScan.Stage(
                        "source counters", "counters of the source", backend.source(), ChangeTarget.Kind.COUNTER),
                new NameScan.Stage(
                        "source sequences", "sequences of the source", backend.source(), ChangeTarget.Kind.SEQUENCE),
                new NameScan.Stage(
                        "target counters", "counters of the target", backend.target(), ChangeTarget.Kind.COUNTER),
                new NameScan.Stage(
                        "target sequences", "sequences of the target", backend.target(), ChangeTarget.Kind.SEQUENCE));
        String stopped = walk.run(stages, position, new Comparer());
        told.check();
        return report.endingAt(stopped);
    }

    private boolean isOver() {
        return !told.isToGoOn() || options.stop().getAsBoolean() || System.nanoTime() - end >= 0;
    }

    private Call call() {
        return new Call(options.deadline(), CountersListener.disabled());
    }

    /** What both stores say of a name. */
    private record Both(NameState source, NameState target, Optional<ImportedState> base) {
        /** How far it has come. */
        MoveStatus standing() {
            return new MoveStatus(source, base.orElse(null));
        }

        /** Whether it may have been on its way between the reads. */
        boolean isInMotion() {
            return source.seal() != null
                    ? base.isEmpty()
                    : base.isPresent() || (source.isPresent() && target.isPresent());
        }

        /** Whether it is among the names that the source lists. */
        boolean isListedAtSource(ChangeTarget.Kind kind) {
            return source.isPresent() || (source.seal() != null && kind == ChangeTarget.Kind.SEQUENCE);
        }
    }

    /** Compares one name after the other. */
    private final class Comparer implements NameScan.Visitor<List<CompletableFuture<Both>>> {
        @Override
        public CompletableFuture<List<CompletableFuture<Both>>> open(NameScan.Stage stage, List<String> names) {
            return OneByOne.ask(names, some -> read(stage.kind(), some));
        }

        private CompletableFuture<List<Both>> read(ChangeTarget.Kind kind, List<String> names) {
            // The bases last: whoever has one has been sealed before.
            return attempts.of(() -> backend.source().migration().states(kind, names, call()))
                    .thenCompose(source -> attempts.of(
                                    () -> backend.target().migration().states(kind, names, call()))
                            .thenCompose(target -> attempts.of(
                                            () -> backend.target().migration().bases(kind, names, call()))
                                    .thenApply(bases -> IntStream.range(0, names.size())
                                            .mapToObj(i -> new Both(source.get(i), target.get(i), bases.get(i)))
                                            .toList())));
        }

        @Override
        public CompletableFuture<Boolean> visit(
                NameScan.Stage stage, List<CompletableFuture<Both>> page, int index, String name) {
            ChangeTarget.Kind kind = stage.kind();
            boolean isSecondRound = stage.store() == backend.target();
            return page.get(index)
                    .thenCompose(both -> isSecondRound && both.isListedAtSource(kind)
                            ? CompletableFuture.completedFuture(true) // seen among the names of the source
                            : settled(kind, name, both).thenCompose(now -> compare(kind, name, now)))
                    .exceptionally(failure -> {
                        Difference unread = new Difference(kind, name, "could not be read: " + Reasons.of(failure));
                        boolean isNamed = report.differences().contains(unread); // when the source listed it
                        report = isNamed ? report : report.plus(unread);
                        return true;
                    })
                    .thenApply(done -> {
                        told.tell(report);
                        return done;
                    });
        }

        /** A name that moved while the page was read looks like one that is wrong: that is looked at once more. */
        private CompletableFuture<Both> settled(ChangeTarget.Kind kind, String name, Both both) {
            return both.isInMotion()
                    ? read(kind, List.of(name)).thenApply(again -> again.get(0))
                    : CompletableFuture.completedFuture(both);
        }

        private CompletableFuture<Boolean> compare(ChangeTarget.Kind kind, String name, Both both) {
            MoveStatus standing = both.standing();
            Consumer<String> differ = what -> report = report.plus(new Difference(kind, name, what));
            ImportedState base = standing.base();
            if (standing.source().seal() == null && base == null) {
                compareOpen(standing.source(), both.target(), differ);
                return CompletableFuture.completedFuture(true);
            }
            report = report.plusCompared(kind);
            Seal seal = standing.source().seal();
            if (!BaseCheck.isFit(kind, standing, backend.options(), differ) || base == null || seal == null) {
                return CompletableFuture.completedFuture(true);
            }
            return kind == ChangeTarget.Kind.COUNTER
                    ? compareTotals(name, seal, base, differ)
                    : sequenceCheck.compare(
                            name,
                            seal,
                            base,
                            differ,
                            compared -> report = report.plusEntries(compared),
                            () -> isOver());
        }

        private void compareOpen(NameState source, NameState target, Consumer<String> differ) {
            boolean isAtTarget = target.isPresent() || target.seal() != null;
            if (!source.isPresent()) {
                report = isAtTarget ? report.plusOnlyInTarget() : report;
                return;
            }
            report = report.plusNotMoved();
            if (isAtTarget) {
                differ.accept("the target holds something that was not imported, while the source is open");
            }
        }

        private CompletableFuture<Boolean> compareTotals(
                String name, Seal seal, ImportedState base, Consumer<String> differ) {
            return attempts.of(() -> backend.source().counters().read(List.of(name), Duration.ZERO, call()))
                    .thenCompose(source -> attempts.of(
                                    () -> backend.target().counters().read(List.of(name), Duration.ZERO, call()))
                            .thenApply(target -> {
                                compareTotals(source.get(0), target.get(0), seal, base, differ);
                                return true;
                            }));
        }

        private void compareTotals(
                Result<Reading> source,
                Result<Reading> target,
                Seal seal,
                ImportedState base,
                Consumer<String> differ) {
            if (source.failure() != null) {
                differ.accept("the source cannot be read: " + Reasons.of(source.failure()));
            } else if (source.orThrow().value() != seal.last()) {
                differ.accept("the source was sealed at " + seal.last() + " and holds "
                        + source.orThrow().value());
            }
            if (target.failure() != null) {
                differ.accept("the target cannot be read: " + Reasons.of(target.failure()));
            } else if (options.quietTarget() && target.orThrow().value() != base.value()) {
                differ.accept("the target began with " + base.value() + " and holds "
                        + target.orThrow().value());
            }
        }
    }
}
