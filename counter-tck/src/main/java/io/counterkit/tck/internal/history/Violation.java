package io.counterkit.tck.internal.history;

import io.counterkit.tck.internal.history.LinearizabilityChecker.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A history without a legal order, made short: it ends at the first answer that cannot be, and every answer is taken out
 * that is not needed for the contradiction. Each step only permits more, so what is left is a violation too.
 */
final class Violation<S> {
    /** Enough for any history of a workload; one that needs more is left out. */
    static final int MOST_CONFIGURATIONS = 200_000;

    private static final int MOST_CONFIGURATIONS_PER_STEP = 20_000;

    private final S initial;
    private final List<Operation<S>> operations;

    private Violation(S initial, List<Operation<S>> operations) {
        this.initial = initial;
        this.operations = operations;
    }

    /** Returns the violation of a history, or null if it has a legal order or none was found in the time. */
    static <S> @Nullable Violation<S> find(S initial, List<Operation<S>> history) {
        if (LinearizabilityChecker.check(initial, history, MOST_CONFIGURATIONS) != Verdict.ILLEGAL) {
            return null;
        }
        return new Violation<>(initial, history).shortestPrefix().withoutNeedlessAnswers();
    }

    private Violation<S> shortestPrefix() {
        return operations.stream()
                .filter(Operation::isRequired)
                .map(Operation::end)
                .sorted()
                .map(this::until)
                .filter(Violation::isIllegal)
                .findFirst()
                .orElse(this);
    }

    /** The history up to an answer: later answers are not known yet. */
    private Violation<S> until(long end) {
        List<Operation<S>> prefix = new ArrayList<>();
        for (Operation<S> operation : operations) {
            Operation<S> known =
                    operation.end() <= end || !operation.isRequired() ? operation : operation.withoutAnswer();
            if (operation.start() <= end && known != null) {
                prefix.add(known);
            }
        }
        return new Violation<>(initial, prefix);
    }

    private Violation<S> withoutNeedlessAnswers() {
        Violation<S> shortest = this;
        for (Operation<S> operation : operations) {
            if (operation.isRequired()) {
                Violation<S> shorter = shortest.without(operation);
                shortest = shorter.isIllegal() ? shorter : shortest;
            }
        }
        return shortest;
    }

    private Violation<S> without(Operation<S> answered) {
        List<Operation<S>> rest = new ArrayList<>(operations);
        rest.remove(answered);
        Operation<S> unknown = answered.withoutAnswer();
        if (unknown != null) {
            rest.add(unknown);
        }
        return new Violation<>(initial, rest);
    }

    private boolean isIllegal() {
        return LinearizabilityChecker.check(initial, operations, MOST_CONFIGURATIONS_PER_STEP) == Verdict.ILLEGAL;
    }

    /** Returns the operations whose answers contradict each other, in the order of their calls. */
    List<Operation<S>> contradiction() {
        return operations.stream()
                .filter(Operation::isRequired)
                .sorted(Comparator.comparingLong(Operation::start))
                .toList();
    }

    /** A line for each operation: when it was called and when it answered, by which process, and what. */
    @Override
    public String toString() {
        String others = operations.stream()
                .filter(operation -> !operation.isRequired())
                .sorted(Comparator.comparingLong(Operation::start))
                .map(operation ->
                        "\n  " + operation.start() + "..    process " + operation.process() + ": " + operation.text())
                .collect(Collectors.joining());
        return contradiction().stream()
                        .map(operation -> "\n  " + operation.start() + ".." + operation.end() + "  process "
                                + operation.process() + ": " + operation.text())
                        .collect(Collectors.joining())
                + (others.isEmpty()
                        ? ""
                        : "\nwhether or not each of these took effect, at any time after its call:" + others);
    }
}
