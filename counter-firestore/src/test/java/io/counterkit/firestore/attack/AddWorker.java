package io.counterkit.firestore.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.firestore.attack.AttackStatistics.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Adds to the counters of a round, mostly by one process, and records the outcome of each add. */
final class AddWorker implements Runnable {
    private final AttackedWorld world;
    private final Map<String, StampLedger> ledgers;
    private final Random numbers;

    AddWorker(AttackedWorld world, Map<String, StampLedger> ledgers, Random numbers) {
        this.world = world;
        this.ledgers = ledgers;
        this.numbers = numbers;
    }

    @Override
    public void run() {
        List<String> names = new ArrayList<>(ledgers.keySet());
        AttackingProcess usual = anyProcess();
        while (!names.isEmpty()) {
            AttackingProcess process = numbers.nextInt(4) == 0 ? anyProcess() : usual;
            Map<StampLedger.Add, String> adds = new LinkedHashMap<>();
            for (int i = 0, most = 1 + numbers.nextInt(4); i < most && !names.isEmpty(); i++) {
                String name = names.get(numbers.nextInt(names.size()));
                StampLedger.Add add = ledgers.get(name).begin();
                if (add == null) {
                    names.remove(name);
                } else {
                    adds.put(add, name);
                }
            }
            Map<StampLedger.Add, CompletableFuture<Void>> sent = new LinkedHashMap<>();
            adds.forEach((add, name) -> sent.put(add, send(process, name, add.delta)));
            sent.forEach((add, reply) -> settle(add, adds.get(add), reply));
            world.releaseSome();
        }
    }

    private AttackingProcess anyProcess() {
        return world.any(numbers);
    }

    private CompletableFuture<Void> send(AttackingProcess process, String name, long delta) {
        return switch (numbers.nextInt(20)) {
            case 0 -> process.counters.counter(name).async().add(delta, IdempotencyToken.random());
            case 1 -> {
                world.statistics.count(Event.TRANSACTION);
                yield process.backend
                        .transact(IdempotencyToken.random(), tx -> tx.add(name, delta))
                        .thenAccept(done -> {});
            }
            default -> process.counters.counter(name).async().add(delta);
        };
    }

    private void settle(StampLedger.Add add, String name, CompletableFuture<Void> reply) {
        try {
            reply.join();
            add.end(true);
        } catch (CompletionException e) {
            if (e.getCause() instanceof OutcomeUnknownException unknown) {
                world.statistics.count(Event.UNKNOWN);
                add.end(isApplied(name, add.delta, unknown.token()));
            } else if (e.getCause() instanceof NotAppliedException) {
                add.end(false);
            } else {
                throw e;
            }
        }
    }

    /** Resolves a token by two processes, or repeats its add by two. */
    private boolean isApplied(String name, long delta, IdempotencyToken token) {
        if (numbers.nextBoolean()) {
            anyProcess().release();
        }
        if (numbers.nextInt(3) > 0) {
            CompletableFuture<Boolean> one = resolve(anyProcess(), token);
            CompletableFuture<Boolean> other = resolve(anyProcess(), token);
            boolean applied = one.join();
            assertThat(other.join()).as("the same decision about %s", name).isEqualTo(applied);
            return applied;
        }
        CompletableFuture<Boolean> one = repeat(anyProcess(), name, delta, token);
        CompletableFuture<Boolean> other = repeat(anyProcess(), name, delta, token);
        boolean applied = one.join();
        boolean otherApplied = other.join();
        return applied || otherApplied;
    }

    private CompletableFuture<Boolean> resolve(AttackingProcess process, IdempotencyToken token) {
        return CompletableFuture.supplyAsync(() -> settle(process, token).applied(), world.threads);
    }

    private Resolution settle(AttackingProcess process, IdempotencyToken token) {
        for (int i = 0; i < 3; i++) {
            try {
                return process.counters.resolve(token);
            } catch (OutcomeUnknownException e) {
                process.release();
            }
        }
        return world.clean.settle(token, Duration.ofMinutes(2));
    }

    private CompletableFuture<Boolean> repeat(
            AttackingProcess process, String name, long delta, IdempotencyToken token) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        process.counters.counter(name).add(delta, token);
                        return true;
                    } catch (OutcomeUnknownException | NotAppliedException e) {
                        return settle(process, token).applied();
                    }
                },
                world.threads);
    }
}
