package io.counterkit.cli.soak;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * One append of one worker, which gives its number.
 *
 * @param sequence a handle of its own
 * @param token the worker's own; null where the library is to cover the append
 */
record AppendAttempt(
        SequenceBook book,
        Sequence sequence,
        Planned planned,
        @Nullable IdempotencyToken token) implements Decider.Attempt<Long> {
    @Override
    public Long first() {
        return numberOf(token == null ? planned.appendTo(sequence) : planned.appendTo(sequence, token));
    }

    @Override
    public Long again(IdempotencyToken handedOut) {
        return numberOf(planned.appendTo(sequence, handedOut));
    }

    private long numberOf(Entry entry) {
        if (!planned.matches(entry)) {
            book.found(planned + " was appended, but the answer was " + entry);
        }
        return entry.number();
    }

    @Override
    public Long resolved(Resolution resolution) {
        if (resolution instanceof Resolution.Appended appended
                && appended.sequence().equals(sequence.name())) {
            return appended.number();
        }
        book.found(planned + " was resolved as " + resolution);
        return 0L;
    }
}
