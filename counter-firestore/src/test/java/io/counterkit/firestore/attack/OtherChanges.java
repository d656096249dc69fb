package io.counterkit.firestore.attack;

import com.google.cloud.firestore.FieldValue;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.firestore.attack.AttackStatistics.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Changes some counters of a round in other ways than by adds, and copies processes. */
final class OtherChanges implements Runnable {
    private final AttackedWorld world;
    private final Map<String, StampLedger> ledgers;
    private final Random numbers;

    OtherChanges(AttackedWorld world, Map<String, StampLedger> ledgers, Random numbers) {
        this.world = world;
        this.ledgers = ledgers;
        this.numbers = numbers;
    }

    @Override
    public void run() {
        List<String> names = new ArrayList<>(ledgers.keySet());
        int times = numbers.nextInt(6);
        for (int i = 0; i < times; i++) {
            try {
                change(names.get(numbers.nextInt(names.size())), world.any(numbers));
            } catch (NotAppliedException | OutcomeUnknownException | CompletionException e) {
                count(Event.FAILED_CHANGE); // whether it was applied or not, the adds must be exact
            }
        }
    }

    private void change(String name, AttackingProcess process) {
        StampLedger ledger = ledgers.get(name);
        switch (numbers.nextInt(9)) {
            case 0 -> {
                count(Event.RESET);
                ledger.clear(() -> process.patient.counter(name).reset());
            }
            case 1, 2 -> {
                count(Event.DELETION);
                ledger.clear(() -> process.patient.counter(name).delete());
            }
            case 3 -> {
                count(Event.RESHARDING);
                process.backend
                        .reshard(name, 1 + numbers.nextInt(AttackingProcess.MOST_SHARDS))
                        .join();
            }
            case 4 -> {
                if (numbers.nextInt(3) == 0) {
                    count(Event.SEAL);
                    process.patient.counter(name).seal("elsewhere");
                }
            }
            case 5, 6 -> addAsTheRecipe(name, ledger);
            case 7 -> {
                Long base = world.bases.get(name);
                if (base != null) { // changes nothing, whatever has happened to the counter since
                    world.importBy(process, name, base).join();
                }
            }
            default -> world.startCopyOf(process, numbers);
        }
    }

    /** Adds as a snippet of the recipe does. */
    private void addAsTheRecipe(String name, StampLedger ledger) {
        StampLedger.Add add = ledger.begin();
        if (add == null) {
            return;
        }
        count(Event.FOREIGN_INCREMENT);
        try {
            world.raw
                    .document("counters/" + name + "/shards/0")
                    .update("count", FieldValue.increment(add.delta))
                    .get();
            add.end(true);
        } catch (ExecutionException e) {
            add.end(false); // there is no such shard
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void count(Event event) {
        world.statistics.count(event);
    }
}
