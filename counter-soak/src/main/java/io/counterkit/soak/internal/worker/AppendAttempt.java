package io.counterkit.soak.internal.worker;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * One append of one worker, which returns its number.
 *
 * @param sequence the worker's own handle
 * @param token the worker's own token; null if the library generates one
 */
record AppendAttempt(
        SequenceLedger ledger,
        Sequence sequence,
        PlannedAppend planned,
        @Nullable IdempotencyToken token) implements OutcomeResolver.Attempt<Long> {
    @Override
    public Long first() {
        return numberOf(token == null ? planned.appendTo(sequence) : planned.appendTo(sequence, token));
    }

    @Override
    public Long repeat(IdempotencyToken unknown) {
        return numberOf(planned.appendTo(sequence, unknown));
    }

    private long numberOf(Entry entry) {
        if (!planned.matches(entry)) {
            ledger.report(planned + " was appended, but the answer was " + entry);
        }
        return entry.number();
    }

    @Override
    public Long resolved(Resolution resolution) {
        if (resolution instanceof Resolution.Appended appended
                && appended.sequence().equals(sequence.name())) {
            return appended.number();
        }
        ledger.report(planned + " was resolved as " + resolution);
        return 0L;
    }
}
