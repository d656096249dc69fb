package io.counterkit.cli.soak;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What one worker does to counters. Used by one thread. */
final class CounterWork {
    private static final int BURST = 8;

    private final Counters counters;
    private final Happened happened;
    private final Decider decider;
    private final RandomGenerator random;

    CounterWork(Counters counters, Happened happened, Decider decider, RandomGenerator random) {
        this.counters = counters;
        this.happened = happened;
        this.decider = decider;
        this.random = random;
    }

    /** One add; under a token, it is sometimes made twice. */
    void add(CounterBook book, @Nullable IdempotencyToken token) {
        AddAttempt add = begin(book, token);
        boolean applied = add.conclude(decider.decide(add, book::found));
        if (applied && token != null && random.nextBoolean()) {
            // Whatever the answer, the total must not change. That it is applied is known, so it must not be denied.
            if (decider.decide(add, book::found) instanceof Fate.NotApplied<Boolean> denied
                    && denied.refusal() == null) {
                book.found("token " + token + " was applied, and later resolved as not applied");
            }
        }
    }

    /** Several adds at once. */
    void burst(CounterBook book) {
        List<AddAttempt> adds = new ArrayList<>();
        List<CompletableFuture<Void>> replies = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            AddAttempt add = begin(book, null);
            adds.add(add);
            replies.add(add.counter().async().add(add.delta()));
        }
        for (int i = 0; i < BURST; i++) {
            AddAttempt add = adds.get(i);
            CompletableFuture<Void> reply = replies.get(i);
            add.conclude(decider.settle(() -> join(reply), add, book::found));
        }
    }

    /** One strong read. */
    void read(CounterBook book) {
        happened.reads.increment();
        try {
            book.read();
        } catch (NotAppliedException e) {
            happened.notApplied.increment();
        }
    }

    private AddAttempt begin(CounterBook book, @Nullable IdempotencyToken token) {
        happened.adds.increment();
        long delta = random.nextInt(10) == 0 ? random.nextLong(-1_000_000, 1_000_000) : random.nextLong(1, 4);
        book.begin(delta);
        return new AddAttempt(book, counters.counter(book.counter().name()), delta, token);
    }

    private static boolean join(CompletableFuture<Void> reply) {
        try {
            reply.join();
            return true;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
