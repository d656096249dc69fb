package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Adds the lines of a file in parts, so that a later run can continue after the last one. The lines of a part with one name are
 * one add, under a token that follows from the run, the part and the place in it. Where a part ends is on disk before it is
 * sent, so a run that repeats it sends the same adds under the same tokens. Used by one thread.
 */
final class Parts {
    /** Some ten thousand lines: a few milliseconds of work that a run may repeat. */
    private static final long PART_BYTES = 4L << 20;

    private final PositionFile file;
    private final InFlight inFlight;
    private final List<Add> adds = new ArrayList<>();
    private Position position;

    Parts(PositionFile file, Position position, InFlight inFlight) {
        this.file = file;
        this.position = position;
        this.inFlight = inFlight;
    }

    /** The lines of a part with one name. */
    static final class Add {
        final Tally tally;
        long sum;
        long lines;

        Add(Tally tally) {
            this.tally = tally;
        }

        boolean hasRoomFor(long delta) {
            return Math.abs(sum + delta) <= Limits.MAX_DELTA;
        }
    }

    /** Adds a line to the part. */
    void add(Tally tally, long delta) {
        Add add = tally.inPart;
        if (add == null || !add.hasRoomFor(delta)) {
            add = new Add(tally);
            adds.add(add);
            tally.inPart = add;
        }
        add.sum += delta;
        add.lines++;
    }

    /** Returns whether the part is large enough to be sent, if it ends here. */
    boolean isFull(Position.Mark end) {
        return end.bytes() - position.done().bytes() >= PART_BYTES;
    }

    /**
     * Sends the part and waits for its outcome. Returns false if the outcome is unknown or not final; a later run must
     * then repeat the part.
     */
    boolean trySend(Position.Mark end) throws IOException, InterruptedException {
        if (!position.sent().equals(end)) {
            position = position.sending(end);
            file.write(position);
        }
        for (int i = 0; i < adds.size(); i++) {
            Add add = adds.get(i);
            add.tally.inPart = null;
            IdempotencyToken token = IdempotencyToken.of(
                    String.format(Locale.ROOT, "ingest/%s/%08d/%08d", position.run(), position.part(), i));
            inFlight.add(add.tally, add.sum, add.lines, token, add.tally.counter.add(add.sum, token));
        }
        adds.clear();
        inFlight.drain();
        if (inFlight.undecided() > 0) {
            return false;
        }
        position = position.counted();
        file.write(position);
        return true;
    }
}
