package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Several faults at once: each counts all calls that it applies to, also those that another fault hits. */
class FaultsTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Counter likes = counters.counter("likes");
    private final Counter views = counters.counter("views");

    @Test
    void faultsAtOneCallAndAtTheNext_hitThese() {
        inject(Fault.LOSE_REPLY, 1);
        inject(Fault.FAIL, 2);
        inject(Fault.LOSE_REPLY, 4);

        assertThat(outcomes(likes, 5)).containsExactly("unknown", "not applied", "applied", "unknown", "applied");
        assertThat(likes.get()).isEqualTo(4);
    }

    @Test
    void orderOfInjection_doesNotMatter() {
        inject(Fault.FAIL, 3);
        inject(Fault.LOSE_REPLY, 2);
        inject(Fault.FAIL, 1);

        assertThat(outcomes(likes, 4)).containsExactly("not applied", "unknown", "not applied", "applied");
    }

    @Test
    void faultsAtTheSameCall_hitOneAfterTheOther() {
        inject(Fault.FAIL, 1);
        inject(Fault.LOSE_REPLY, 1);

        assertThat(outcomes(likes, 3)).containsExactly("not applied", "unknown", "applied");
    }

    @Test
    void heldCall_countsForOtherFaults() {
        Injection held = inject(Fault.HOLD, 1);
        inject(Fault.FAIL, 2);

        CompletableFuture<Void> first = likes.async().increment();
        assertThat(outcomes(likes, 2)).containsExactly("not applied", "applied");
        assertThat(first).isNotDone();
        held.release();
        assertThat(first).isCompleted();
        assertThat(likes.get()).isEqualTo(2);
    }

    @Test
    void faultOfAName_countsCallsThatOtherFaultsHit() {
        store.faults().inject(Fault.FAIL, Calls.all("views"));
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("likes").skipping(1));
        inject(Fault.FAIL, 3);

        assertThat(outcomes(views, 1)).containsExactly("not applied");
        assertThat(outcomes(likes, 3)).containsExactly("applied", "unknown", "not applied");
        store.faults().clear();
        assertThat(outcomes(views, 1)).containsExactly("applied");
    }

    @Test
    void faultsWithAChance_countSkippedCalls() {
        store.faults().inject(Fault.FAIL, Calls.all().skipping(2).withChance(1e-300, new Random(17)));
        store.faults().inject(Fault.FAIL, Calls.next().skipping(1).withChance(1, new Random(17)));
        inject(Fault.LOSE_REPLY, 4);

        assertThat(outcomes(likes, 5)).containsExactly("applied", "not applied", "applied", "unknown", "applied");
    }

    @Test
    void callsOfManyThreads_areCountedInOneOrder() {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 200; round++) {
                List<Injection> injections = new ArrayList<>();
                for (int call = 1; call <= 16; call++) {
                    injections.add(inject(call % 2 == 0 ? Fault.FAIL : Fault.LOSE_REPLY, call));
                }
                List<CompletableFuture<List<String>>> outcomes = new ArrayList<>();
                for (int thread = 0; thread < 8; thread++) {
                    outcomes.add(CompletableFuture.supplyAsync(() -> outcomes(likes, 2), threads));
                }
                assertThat(outcomes).allSatisfy(each -> assertThat(each.join()).doesNotContain("applied"));
                assertThat(injections)
                        .allSatisfy(injection -> assertThat(injection.hits()).isEqualTo(1));
                assertThat(outcomes(likes, 1)).containsExactly("applied");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Injection inject(Fault fault, int call) {
        return store.faults().inject(fault, Calls.next().skipping(call - 1));
    }

    private static List<String> outcomes(Counter counter, int calls) {
        List<String> outcomes = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            try {
                counter.increment();
                outcomes.add("applied");
            } catch (NotAppliedException e) {
                outcomes.add("not applied");
            } catch (OutcomeUnknownException e) {
                outcomes.add("unknown");
            }
        }
        return outcomes;
    }
}
