package io.counterkit.migration.internal.job;

import io.counterkit.CountersListener;
import io.counterkit.NamePage;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the names of stores, a page at a time, several names of a page at once, until the end or until it is to
 * stop. Where it stopped is a short text: going on from there, it may come to some names again, and leaves none out.
 */
public final class NameScan {
    private static final int PAGE = 100;

    private final CallerLoop loop;
    private final RetryingCalls attempts;
    private final String prefix;
    private final int inFlight;
    private final Duration deadline;
    private final BooleanSupplier isOver;

    /**
     * @param inFlight how many names may be under way at once
     * @param deadline how long each call may take
     * @param isOver whether to begin nothing more
     */
    public NameScan(CallerLoop loop, String prefix, int inFlight, Duration deadline, BooleanSupplier isOver) {
        this.loop = loop;
        this.attempts = new RetryingCalls(loop);
        this.prefix = prefix;
        this.inFlight = inFlight;
        this.deadline = deadline;
        this.isOver = isOver;
    }

    /** How many names may be under way at once; both who moves and who verifies take as many. */
    public static int checkInFlight(int names) {
        if (names < 1 || names > 100) {
            throw new IllegalArgumentException("inFlight " + names + ": use 1 to 100");
        }
        return names;
    }

    /**
     * A part of the walk: the names of one kind in one store.
     *
     * @param id what it is called in a position; without a colon
     * @param what what it is called in messages
     */
    public record Stage(String id, String what, CounterBackend store, ChangeTarget.Kind kind) {}

    /** Who is led through the names. */
    public interface Visitor<P> {
        /** Looks at a page before its names are visited. */
        CompletableFuture<P> open(Stage stage, List<String> names);

        /** Visits one name of a page; tells whether it is done with it, or stopped because the time was over. */
        CompletableFuture<Boolean> visit(Stage stage, P page, int index, String name);
    }

    /**
     * Walks on from a position.
     *
     * @param position what an earlier walk returned, or null for the beginning
     * @return where it stopped, or null if it came to the end
     * @throws IllegalArgumentException if there is no such position
     * @throws io.counterkit.NotAppliedException if a page could not be read
     */
    public <P> @Nullable String run(List<Stage> stages, @Nullable String position, Visitor<P> visitor)
            throws InterruptedException {
        Position at = position == null ? new Position(stages.get(0).id(), null, "") : Position.parse(position);
        int first = stages.stream().map(Stage::id).toList().indexOf(at.stage());
        if (first < 0) {
            throw Position.none(at.toString());
        }
        for (Stage stage : stages.subList(first, stages.size())) {
            Position stopped =
                    run(stage, at.stage().equals(stage.id()) ? at : new Position(stage.id(), null, ""), visitor);
            if (stopped != null) {
                return stopped.toString();
            }
        }
        return null;
    }

    private <P> @Nullable Position run(Stage stage, Position from, Visitor<P> visitor) throws InterruptedException {
        Position at = from;
        while (!isOver.getAsBoolean()) {
            String cursor = at.cursor();
            NamePage page = loop.await(attempts.of(() -> names(stage, cursor)), "listing the " + stage.what());
            List<String> names = page.names()
                    .subList(page.names().indexOf(at.done()) + 1, page.names().size());
            int done = names.isEmpty() ? 0 : visit(stage, names, visitor);
            if (done < names.size()) {
                return done == 0 ? at : new Position(stage.id(), cursor, names.get(done - 1));
            }
            if (page.next() == null) {
                return null;
            }
            at = new Position(stage.id(), page.next(), "");
        }
        return at;
    }

    private CompletableFuture<NamePage> names(Stage stage, @Nullable String cursor) {
        Call call = new Call(deadline, CountersListener.disabled());
        return stage.kind() == ChangeTarget.Kind.COUNTER
                ? stage.store().counters().names(prefix, cursor, PAGE, call)
                : stage.store().sequences().names(prefix, cursor, PAGE, call);
    }

    /** How many names of a page are done, counted up to the first that is not. */
    private <P> int visit(Stage stage, List<String> names, Visitor<P> visitor) throws InterruptedException {
        P page = loop.await(visitor.open(stage, names), "reading the state of the " + stage.what());
        List<CompletableFuture<Boolean>> visits = new ArrayList<>();
        AtomicInteger underWay = new AtomicInteger();
        for (int i = 0; i < names.size() && !isOver.getAsBoolean(); i++) {
            underWay.incrementAndGet();
            visits.add(visitor.visit(stage, page, i, names.get(i)));
            CompletableFuture<Void> unused = visits.get(i)
                    .handleAsync(
                            (isDone, failure) -> {
                                underWay.decrementAndGet();
                                return null;
                            },
                            loop);
            loop.runWhile(() -> underWay.get() >= inFlight);
        }
        loop.runWhile(() -> underWay.get() > 0);
        int done = 0;
        while (done < visits.size() && loop.await(visits.get(done), "visiting the " + stage.what())) {
            done++;
        }
        return done;
    }
}
