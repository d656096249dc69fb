package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The lines of a part with one name, which are one add. Its outcome is read after {@code whenReplied} was called. */
final class PendingAdd {
    private final Tally tally;
    private final IdempotencyToken token;
    private long sum;
    private long lines;
    private boolean isInDoubt;
    private @Nullable Throwable failure;

    PendingAdd(Tally tally, IdempotencyToken token) {
        this.tally = tally;
        this.token = token;
    }

    boolean hasRoomFor(long delta) {
        return Math.abs(sum + delta) <= Limits.MAX_DELTA;
    }

    void addLine(long delta) {
        sum += delta;
        lines++;
    }

    /** Sends it, for the first time or again. */
    void send(Runnable whenReplied) {
        CompletableFuture<?> unused = tally.counter.add(sum, token).whenComplete((done, thrown) -> {
            failure = thrown == null ? null : Futures.unwrap(thrown);
            isInDoubt |= failure instanceof OutcomeUnknownException;
            whenReplied.run();
        });
    }

    /** Returns whether the outcome is final. A refusal is final, since the store checks the token first. */
    boolean isDecided() {
        return failure == null || failure instanceof SealedException || failure instanceof TokenRefusedException;
    }

    /** Records the outcome: unknown if an earlier attempt was, unless the last one decides it. */
    void end() {
        tally.inPart = null;
        if (failure == null) {
            tally.applied(sum, lines);
        } else if (isInDoubt && !isDecided()) {
            tally.unknown(sum, token);
        } else {
            tally.notApplied(sum, lines, String.valueOf(failure.getMessage()));
        }
    }
}
