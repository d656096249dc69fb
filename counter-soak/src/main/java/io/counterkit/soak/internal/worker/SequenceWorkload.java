package io.counterkit.soak.internal.worker;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The operations of one worker on sequences. Each sequence has one subject of this worker. Used by one thread. */
final class SequenceWorkload {
    private static final List<Change> CHANGES = List.of(Change.values());

    /** The sequences in which the worker's subject is live. */
    private final Set<SequenceLedger> live = new HashSet<>();

    /** The sequences in which it is not known whether the subject is live. */
    private final Set<SequenceLedger> undecided = new HashSet<>();

    private final Counters counters;
    private final SoakStatistics statistics;
    private final OutcomeResolver resolver;
    private final RandomGenerator random;
    private final String subject;

    SequenceWorkload(
            Counters counters,
            SoakStatistics statistics,
            OutcomeResolver resolver,
            RandomGenerator random,
            String subject) {
        this.counters = counters;
        this.statistics = statistics;
        this.resolver = resolver;
        this.random = random;
        this.subject = subject;
    }

    /** Appends one entry; an append with a token is sometimes repeated. */
    void append(SequenceLedger ledger, long id, @Nullable IdempotencyToken token) {
        PlannedAppend planned = new PlannedAppend(id, Change.ADDED, null);
        Settled<Long> settled = run(ledger, planned, token);
        if (token == null || !(settled instanceof Settled.Applied<Long> first) || random.nextBoolean()) {
            return;
        }
        Settled<Long> repeated = resolver.run(attempt(ledger, planned, token), ledger::report);
        if (repeated instanceof Settled.Applied<Long> second && !second.equals(first)) {
            ledger.report("token " + token + " returned number " + first.result() + ", and later " + second.result());
        } else if (repeated instanceof Settled.NotApplied<Long> denied && denied.refusal() == null) {
            ledger.report("token " + token + " returned number " + first.result()
                    + ", and was later resolved as not applied");
        }
    }

    /** Appends one entry that changes the worker's subject. Some of these must be refused. */
    void appendToSubject(SequenceLedger ledger, long id) {
        if (undecided.contains(ledger)) {
            return;
        }
        boolean wasLive = live.contains(ledger);
        Change change = CHANGES.get(random.nextInt(CHANGES.size()));
        boolean fits = wasLive == (change != Change.ADDED);
        Settled<Long> settled = run(ledger, new PlannedAppend(id, change, subject), null);
        if (settled instanceof Settled.Unknown) {
            undecided.add(ledger);
        } else if (settled instanceof Settled.Applied) {
            if (!fits) {
                ledger.report("'" + change.name().toLowerCase(Locale.ROOT) + "' of '" + subject
                        + "' was accepted, which was " + (wasLive ? "" : "not ") + "live");
            }
            if (change == Change.REMOVED) {
                live.remove(ledger);
            } else {
                live.add(ledger);
            }
        } else if (fits
                && settled instanceof Settled.NotApplied<Long> denied
                && denied.refusal() instanceof ChangeRefusedException refused) {
            ledger.report("a change that fits was refused: " + refused.getMessage());
        }
    }

    /** Makes one strong read of the tail. */
    void readTail(SequenceLedger ledger) {
        statistics.reads.increment();
        try {
            ledger.readTail();
        } catch (NotAppliedException e) {
            statistics.notApplied.increment();
        }
    }

    private Settled<Long> run(SequenceLedger ledger, PlannedAppend planned, @Nullable IdempotencyToken token) {
        statistics.appends.increment();
        long floor = ledger.begin();
        Settled<Long> settled = resolver.run(attempt(ledger, planned, token), ledger::report);
        if (settled instanceof Settled.Applied<Long> applied) {
            ledger.applied(planned, applied.result(), floor);
        } else if (settled instanceof Settled.NotApplied) {
            ledger.notApplied();
        }
        return settled;
    }

    private AppendAttempt attempt(SequenceLedger ledger, PlannedAppend planned, @Nullable IdempotencyToken token) {
        return new AppendAttempt(ledger, counters.sequence(ledger.sequence().name()), planned, token);
    }
}
