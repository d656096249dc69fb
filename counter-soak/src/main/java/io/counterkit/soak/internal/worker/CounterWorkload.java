package io.counterkit.soak.internal.worker;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The operations of one worker on counters. Used by one thread. */
final class CounterWorkload {
    private static final int BURST = 8;

    private final Counters counters;
    private final SoakStatistics statistics;
    private final OutcomeResolver resolver;
    private final RandomGenerator random;

    CounterWorkload(Counters counters, SoakStatistics statistics, OutcomeResolver resolver, RandomGenerator random) {
        this.counters = counters;
        this.statistics = statistics;
        this.resolver = resolver;
        this.random = random;
    }

    /** Adds once; an add with a token is sometimes repeated. */
    void add(CounterLedger ledger, @Nullable IdempotencyToken token) {
        AddAttempt add = begin(ledger, token);
        boolean applied = add.record(resolver.run(add, ledger::report));
        if (applied && token != null && random.nextBoolean()) {
            // Whatever the reply, the total must not change. An applied add must not be reported as not applied.
            if (resolver.run(add, ledger::report) instanceof Settled.NotApplied<Boolean> denied
                    && denied.refusal() == null) {
                ledger.report("token " + token + " was applied, and later resolved as not applied");
            }
        }
    }

    /** Makes several adds at once. */
    void burst(CounterLedger ledger) {
        List<AddAttempt> adds = new ArrayList<>();
        List<CompletableFuture<Void>> replies = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            AddAttempt add = begin(ledger, null);
            adds.add(add);
            replies.add(add.counter().async().add(add.delta()));
        }
        for (int i = 0; i < BURST; i++) {
            AddAttempt add = adds.get(i);
            CompletableFuture<Void> reply = replies.get(i);
            add.record(resolver.settle(() -> join(reply), add, ledger::report));
        }
    }

    /** Makes one strong read. */
    void read(CounterLedger ledger) {
        statistics.reads.increment();
        try {
            ledger.read();
        } catch (NotAppliedException e) {
            statistics.notApplied.increment();
        }
    }

    private AddAttempt begin(CounterLedger ledger, @Nullable IdempotencyToken token) {
        statistics.adds.increment();
        long delta = random.nextInt(10) == 0 ? random.nextLong(-1_000_000, 1_000_000) : random.nextLong(1, 4);
        ledger.begin(delta);
        return new AddAttempt(ledger, counters.counter(ledger.counter().name()), delta, token);
    }

    private static boolean join(CompletableFuture<Void> reply) {
        Futures.join(reply);
        return true;
    }
}
