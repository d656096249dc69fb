package io.counterkit.migration.internal.job;

import io.counterkit.NamePage;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Scans the names of stores page by page, several names of a page at once, until the end or until it has to stop. A
 * scan can be resumed from the position where it stopped; it then visits all remaining names, and some of them again.
 * The first incomplete name continues after its last completed entry, so that short scans reach the end of a long
 * sequence.
 *
 * @param inFlight how many names are visited at once
 * @param isOver returns whether nothing more may start
 */
public record NameScan(CallerLoop loop, RetryingCalls calls, String prefix, int inFlight, BooleanSupplier isOver) {
    private static final int PAGE = 100;

    /**
     * A part of the scan: the names of one kind in one store.
     *
     * @param id its name in a position; without a colon
     * @param what its name in messages
     */
    public record Stage(String id, String what, CounterBackend store, ChangeTarget.Kind kind) {}

    /** Receives the names. */
    public interface Visitor<P> {
        /** Reads the state of a page before its names are visited. */
        CompletableFuture<P> readPage(Stage stage, List<String> names);

        /**
         * Visits one name of a page. If the time ends first, returns how far the entries are done, counting those of
         * earlier scans.
         *
         * @param entries the number up to which an earlier scan has done the entries of this name, or 0
         */
        CompletableFuture<Progress> visit(Stage stage, P page, int index, String name, long entries);
    }

    /**
     * Checks the position of a scan with these parts.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static void checkPosition(String position, List<String> stages) {
        ScanPosition unused = ScanPosition.parse(position, stages);
    }

    /**
     * Scans from a position on.
     *
     * @param position the position that an earlier scan returned, or null for the beginning
     * @return the position where the scan stopped, or null at the end
     * @throws IllegalArgumentException if {@code position} is invalid
     * @throws io.counterkit.NotAppliedException if a page could not be read
     */
    public <P> @Nullable String run(List<Stage> stages, @Nullable String position, Visitor<P> visitor)
            throws InterruptedException {
        List<String> ids = stages.stream().map(Stage::id).toList();
        ScanPosition start = position == null ? ScanPosition.startOf(ids.get(0)) : ScanPosition.parse(position, ids);
        for (Stage stage : stages.subList(ids.indexOf(start.stage()), stages.size())) {
            boolean isFirst = stage.id().equals(start.stage());
            ScanPosition stopped = run(stage, isFirst ? start : ScanPosition.startOf(stage.id()), visitor);
            if (stopped != null) {
                return stopped.toString();
            }
        }
        return null;
    }

    private <P> @Nullable ScanPosition run(Stage stage, ScanPosition start, Visitor<P> visitor)
            throws InterruptedException {
        ScanPosition position = start;
        while (!isOver.getAsBoolean()) {
            String cursor = position.cursor();
            NamePage page = loop.await(calls.retry(call -> names(stage, cursor, call)), "listing the " + stage.what());
            List<String> names = page.names()
                    .subList(
                            page.names().indexOf(position.done()) + 1,
                            page.names().size());
            position = names.isEmpty() ? position : visit(stage, names, position, visitor);
            if (!names.isEmpty() && !position.done().equals(names.get(names.size() - 1))) {
                return position;
            }
            if (page.next() == null) {
                return null;
            }
            position = ScanPosition.atPage(stage.id(), page.next());
        }
        return position;
    }

    private CompletableFuture<NamePage> names(Stage stage, @Nullable String cursor, Call call) {
        return stage.kind() == ChangeTarget.Kind.COUNTER
                ? stage.store().counters().names(prefix, cursor, PAGE, call)
                : stage.store().sequences().names(prefix, cursor, PAGE, call);
    }

    /** Visits the names of a page that are left. Returns the position after those that are done before any other. */
    private <P> ScanPosition visit(Stage stage, List<String> names, ScanPosition start, Visitor<P> visitor)
            throws InterruptedException {
        P page = loop.await(visitor.readPage(stage, names), "reading the state of the " + stage.what());
        List<CompletableFuture<Progress>> visits = new ArrayList<>();
        AtomicInteger running = new AtomicInteger();
        for (int i = 0; i < names.size() && !isOver.getAsBoolean(); i++) {
            running.incrementAndGet();
            String name = names.get(i);
            visits.add(visitor.visit(stage, page, i, name, start.entriesOf(name)));
            CompletableFuture<Integer> unused =
                    visits.get(i).handleAsync((progress, failure) -> running.decrementAndGet(), loop);
            loop.runWhile(() -> running.get() >= inFlight);
        }
        loop.runWhile(() -> running.get() > 0);
        ScanPosition position = start;
        for (int i = 0; i < visits.size(); i++) {
            Progress progress = loop.await(visits.get(i), "visiting the " + stage.what());
            if (!progress.isComplete()) {
                return new ScanPosition(stage.id(), start.cursor(), position.done(), names.get(i), progress.entries());
            }
            position = new ScanPosition(stage.id(), start.cursor(), names.get(i), start.begun(), start.entries());
        }
        return position;
    }
}
