package io.counterkit.tck.chapter.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Batches;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapters 4, 7 and 13, continued: contending processes, and resources after failures. */
public abstract class ProcessesChapter extends MigrationChapter {
    private static final int ROUNDS = 15;

    @Test
    @Rule(
            value = "4.5",
            lookAt = "the order in which a batch locks its counters: it has to be the same in every process, or"
                    + " deadlocks have to be retried")
    final void spec405_batchesInOppositeOrdersAllComplete() throws Exception {
        List<String> names = Stream.generate(this::name).limit(4).sorted().toList();
        List<String> backwards = new ArrayList<>(names);
        Collections.reverse(backwards);
        List<CounterBackend> processes = List.of(backend(), backend());
        boolean onePerName = processes.get(0).counters().limits().onePerName();
        tasks().runAtOnce(4, thread -> {
            List<String> order = thread % 2 == 0 ? names : backwards;
            for (int round = 0; round < ROUNDS; round++) {
                if (onePerName) {
                    awaitAll(order.stream()
                            .map(name -> (order == names ? here() : there())
                                    .counter(name)
                                    .async()
                                    .add(1)));
                } else {
                    assertThat(Batches.add(
                                    processes.get(thread % 2).counters(),
                                    order.stream()
                                            .map(name -> new AddRequest(name, 1, null))
                                            .toList(),
                                    this::commit))
                            .allSatisfy(result -> assertThat(result.failure())
                                    .as("the failure of an add")
                                    .isNull());
                }
            }
        });
        for (String name : names) {
            assertTotalElsewhere(name, 4 * ROUNDS);
        }
        if (!onePerName && processes.get(0).counters().limits().maxWeight() >= 10) {
            batchesWithTheSameTokensInOppositeOrders(processes, names);
        }
    }

    /** Sends the same requests from two processes, so that each finds tokens of the other, and one add of its own. */
    private void batchesWithTheSameTokensInOppositeOrders(List<CounterBackend> processes, List<String> names)
            throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<AddRequest> requests = new ArrayList<>(names.stream()
                    .map(name -> new AddRequest(name, 1, IdempotencyToken.random()))
                    .toList());
            List<AddRequest> backwards = new ArrayList<>(requests);
            Collections.reverse(backwards);
            AddRequest own = new AddRequest(names.get(0), 1000, null);
            requests.add(own);
            backwards.add(0, own);
            tasks().runAtOnce(4, thread -> {
                assertThat(Batches.add(
                                processes.get(thread % 2).counters(), thread < 2 ? requests : backwards, this::commit))
                        .allSatisfy(result -> assertThat(result.failure())
                                .as("the failure of an add in a batch, most of whose adds other callers send too")
                                .isNull());
            });
        }
        for (String name : names) {
            assertThat(there().counter(name).get())
                    .as("the total after batches that four callers sent with the same tokens")
                    .isEqualTo(5 * ROUNDS + (name.equals(names.get(0)) ? 4000 * ROUNDS : 0));
        }
    }

    @Test
    @Rule(value = "13.13", lookAt = "whether a concurrent import and first add or append can both be the first")
    final void spec1313_concurrentImportAndFirstChangeHaveAnOrder() throws Exception {
        if (refusesToImport()) {
            return;
        }
        List<MigrationStore> processes =
                List.of(backend().migration(), backend().migration());
        for (int round = 0; round < ROUNDS; round++) {
            Counter counter = counter();
            Sequence sequence = sequence();
            List<Boolean> imports = tasks().callAtOnce(4, thread -> switch (thread) {
                case 0 -> isImported(processes.get(0), Kind.COUNTER, counter.name());
                case 1 -> isImported(processes.get(1), Kind.SEQUENCE, sequence.name());
                case 2 -> {
                    elsewhere(counter).add(1);
                    yield true;
                }
                default -> {
                    elsewhere(sequence).next();
                    yield true;
                }
            });
            assertThat(counter.get())
                    .as(
                            "the total after a first add of 1 and a concurrent import of 10; the import was applied:"
                                    + " %s",
                            imports.get(0))
                    .isEqualTo(imports.get(0) ? 11 : 1);
            assertThat(sequence.last())
                    .as(
                            "the last number after a first append and a concurrent import of 40 entries; the import was"
                                    + " applied: %s",
                            imports.get(1))
                    .isEqualTo(imports.get(1) ? 41 : 1);
        }
    }

    private boolean isImported(MigrationStore into, Kind kind, String name) {
        Throwable failure =
                catchThrowable(() -> imported(into, kind, name, kind == Kind.COUNTER ? total(10) : end(40, 3)));
        assertThat(failure == null || failure.getCause() instanceof NotAppliedException)
                .as(
                        "whether an import concurrent with a first change is applied or refused as not applied: %s",
                        failure)
                .isTrue();
        return failure == null;
    }
}
