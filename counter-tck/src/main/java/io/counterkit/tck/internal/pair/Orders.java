package io.counterkit.tck.internal.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The outcomes of a few operations on one name, one for each order of the operations. To determine them, the backend
 * carries out the operations one after another, on other names. The first operation is put in each place among the
 * others, which keep their order.
 *
 * @param processes carry out the operation of the same index; the last one reads the state
 */
record Orders(
        Kind kind,
        List<CounterBackend> processes,
        Supplier<String> names,
        Supplier<Commit> commits,
        Map<String, Set<Outcome>> known) {
    /** The answer of each operation, and the state after them. */
    record Outcome(List<String> answers, String state) {}

    Orders(Kind kind, List<CounterBackend> processes, Supplier<String> names, Supplier<Commit> commits) {
        this(kind, processes, names, commits, new HashMap<>());
    }

    Scene prepare(Before before) {
        Scene scene = new Scene(kind, names.get(), IdempotencyToken.random(), commits);
        before.prepare(observing(), scene);
        return scene;
    }

    /** Returns the process that reads the state. */
    CounterBackend observing() {
        return processes.get(processes.size() - 1);
    }

    /** Carries out one of the operations. */
    String answer(List<PairedOperation> operations, int index, Scene scene) {
        return scene.answer(() -> operations.get(index).sent().to(processes.get(index), scene));
    }

    /** Checks that an outcome is that of one order of all operations, or of those that were applied. */
    void check(String how, Before before, List<PairedOperation> operations, Scene scene, List<String> answers) {
        Outcome outcome = new Outcome(answers, scene.state(observing()));
        if (ofAll(before, operations).contains(outcome)) {
            return;
        }
        Set<Outcome> expected = new HashSet<>(ofAll(before, operations));
        expected.addAll(ofSome(before, operations));
        assertThat(expected)
                .as(
                        "%s of %s, %s: the answers and the state that each possible order results in, one of which"
                                + " has to be the observed one",
                        operations.stream().map(PairedOperation::label).collect(Collectors.joining(" and ")),
                        before,
                        how)
                .contains(outcome);
    }

    private Set<Outcome> ofAll(Before before, List<PairedOperation> operations) {
        return known.computeIfAbsent(
                before.name() + operations.stream().map(PairedOperation::label).toList(),
                unknown -> orders(before, operations, indexes(operations)));
    }

    private static List<Integer> indexes(List<PairedOperation> operations) {
        return IntStream.range(0, operations.size()).boxed().toList();
    }

    /** Returns the outcomes in which at least one operation is applied, but not all. A read is always carried out. */
    private Set<Outcome> ofSome(Before before, List<PairedOperation> operations) {
        Set<Outcome> outcomes = new HashSet<>();
        int acting = Math.min(operations.size(), processes.size() - 1);
        for (int applied = 1; applied < (1 << acting) - 1; applied++) {
            int bits = applied;
            List<Integer> some = indexes(operations).stream()
                    .filter(index -> index >= acting || (bits >> index & 1) == 1)
                    .toList();
            outcomes.addAll(orders(before, operations, some));
        }
        return outcomes;
    }

    /** Returns the outcome of each order of some of the operations. */
    private Set<Outcome> orders(Before before, List<PairedOperation> operations, List<Integer> some) {
        Set<Outcome> outcomes = new HashSet<>();
        List<Integer> others = some.stream().filter(index -> index != 0).toList();
        for (int place = 0; place <= (some.contains(0) ? others.size() : 0); place++) {
            List<Integer> order = new ArrayList<>(others);
            if (some.contains(0)) {
                order.add(place, 0);
            }
            Scene scene = prepare(before);
            String[] answers = new String[operations.size()];
            Arrays.fill(answers, Scene.NOT_APPLIED);
            for (int index : order) {
                answers[index] = answer(operations, index, scene);
            }
            outcomes.add(new Outcome(List.of(answers), scene.state(observing())));
        }
        return outcomes;
    }
}
