package io.counterkit.cli.soak;

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

/** What one worker does to sequences. In each it has a subject of its own, whose state it knows. Used by one thread. */
final class SequenceWork {
    private static final List<Change> CHANGES = List.of(Change.values());

    private final Set<SequenceBook> live = new HashSet<>();
    private final Set<SequenceBook> uncertain = new HashSet<>();
    private final Counters counters;
    private final Happened happened;
    private final Decider decider;
    private final RandomGenerator random;
    private final String subject;

    SequenceWork(Counters counters, Happened happened, Decider decider, RandomGenerator random, String subject) {
        this.counters = counters;
        this.happened = happened;
        this.decider = decider;
        this.random = random;
        this.subject = subject;
    }

    /** One entry; under a token, it is sometimes appended twice. */
    void append(SequenceBook book, long id, @Nullable IdempotencyToken token) {
        Fate<Long> fate = carryOut(book, new Planned(id, Change.ADDED, null), token);
        if (token == null || !(fate instanceof Fate.Applied<Long> first) || random.nextBoolean()) {
            return;
        }
        Fate<Long> repeated = decider.decide(attempt(book, new Planned(id, Change.ADDED, null), token), book::found);
        if (repeated instanceof Fate.Applied<Long> second && !second.equals(first)) {
            book.found("token " + token + " gave number " + first.result() + ", and later " + second.result());
        } else if (repeated instanceof Fate.NotApplied<Long> denied && denied.refusal() == null) {
            book.found("token " + token + " gave number " + first.result() + ", and was later resolved as not applied");
        }
    }

    /** One revision of the worker's subject; sometimes one that has to be refused. */
    void revise(SequenceBook book, long id) {
        if (uncertain.contains(book)) {
            return;
        }
        boolean wasLive = live.contains(book);
        Change change = CHANGES.get(random.nextInt(CHANGES.size()));
        boolean fits = wasLive == (change != Change.ADDED);
        Fate<Long> fate = carryOut(book, new Planned(id, change, subject), null);
        if (fate instanceof Fate.Undecided) {
            uncertain.add(book);
        } else if (fate instanceof Fate.Applied) {
            if (!fits) {
                book.found("'" + change.name().toLowerCase(Locale.ROOT) + "' of '" + subject
                        + "' was accepted, which was " + (wasLive ? "" : "not ") + "live");
            }
            if (change == Change.REMOVED) {
                live.remove(book);
            } else {
                live.add(book);
            }
        } else if (fits
                && fate instanceof Fate.NotApplied<Long> denied
                && denied.refusal() instanceof ChangeRefusedException refused) {
            book.found("a change that fits was refused: " + refused.getMessage());
        }
    }

    /** One strong read of the tail. */
    void readTail(SequenceBook book) {
        happened.reads.increment();
        try {
            book.readTail();
        } catch (NotAppliedException e) {
            happened.notApplied.increment();
        }
    }

    private Fate<Long> carryOut(SequenceBook book, Planned planned, @Nullable IdempotencyToken token) {
        happened.appends.increment();
        long floor = book.begin();
        Fate<Long> fate = decider.decide(attempt(book, planned, token), book::found);
        if (fate instanceof Fate.Applied<Long> applied && applied.result() != null) {
            book.applied(planned, applied.result(), floor);
        } else if (fate instanceof Fate.NotApplied) {
            book.notApplied();
        }
        return fate;
    }

    private AppendAttempt attempt(SequenceBook book, Planned planned, @Nullable IdempotencyToken token) {
        return new AppendAttempt(book, counters.sequence(book.sequence().name()), planned, token);
    }
}
