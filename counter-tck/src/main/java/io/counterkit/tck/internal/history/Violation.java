package io.counterkit.tck.internal.history;

import io.counterkit.tck.internal.history.LinearizabilityChecker.Verdict;
import io.counterkit.tck.internal.history.Workload.Checked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A shortened history without a legal order. It ends at the first impossible answer and omits answers that do not
 * contribute to the contradiction. Each omission only permits more orders, so the rest is a violation too.
 */
final class Violation<S> {
    /** Enough for any history of a workload; a history that needs more is not reported. */
    static final int MOST_CONFIGURATIONS = 200_000;

    private static final int MOST_CONFIGURATIONS_PER_STEP = 2_000;

    /**
     * How many configurations the omission of answers visits at most, times the operations of the prefix. Bounds its
     * time: the violation of a long history is reported with more answers than it needs.
     */
    private static final int MOST_WORK = 5_000_000;

    /** Into how many parts a long history is divided at first. */
    private static final int MOST_PARTS = 16;

    private static final int MOST_LINES = 100;

    private final S initial;
    private final List<Operation<S>> operations;

    private Violation(S initial, List<Operation<S>> operations) {
        this.initial = initial;
        this.operations = operations;
    }

    /** Returns the violation of a history, or null if it has a legal order or the search reached its limit. */
    static <S> @Nullable Violation<S> find(S initial, List<Operation<S>> history) {
        return LinearizabilityChecker.check(initial, history, MOST_CONFIGURATIONS) == Verdict.ILLEGAL
                ? shortest(initial, history)
                : null;
    }

    /** Checks the history of an object, which messages call {@code object}. */
    static <S extends ObjectState<S>> Checked check(String object, History<S> history) {
        List<Operation<S>> operations = history.operations();
        return switch (LinearizabilityChecker.check(history.initial(), operations, MOST_CONFIGURATIONS)) {
            case LEGAL -> new Checked(null, true);
            case UNDECIDED -> new Checked(null, false);
            case ILLEGAL -> new Checked(object + shortest(history.initial(), operations), true);
        };
    }

    private static <S> Violation<S> shortest(S initial, List<Operation<S>> history) {
        return new Violation<>(initial, history).shortestPrefix().withoutNeedlessAnswers();
    }

    /** Searches by halves: a history stays illegal whatever follows it. */
    private Violation<S> shortestPrefix() {
        List<Long> ends = operations.stream()
                .filter(Operation::isRequired)
                .map(Operation::end)
                .sorted()
                .toList();
        Violation<S> shortest = this;
        int low = 0;
        int high = ends.size() - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            Violation<S> prefix = until(ends.get(middle));
            if (LinearizabilityChecker.check(initial, prefix.operations, MOST_CONFIGURATIONS) == Verdict.ILLEGAL) {
                shortest = prefix;
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return shortest;
    }

    /** Returns the history up to an answer, without later answers. */
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

    /**
     * Omits single answers while the rest has no legal order. In a long history, first omits many observations at once:
     * they cost little, whereas a change without its answer may still have taken effect.
     */
    private Violation<S> withoutNeedlessAnswers() {
        Violation<S> shortest = this;
        int left = MOST_WORK / operations.size();
        for (int size = Math.max(1, operations.size() / MOST_PARTS); size > 0; size /= 2) {
            boolean isLast = size == 1;
            List<Operation<S>> answers = shortest.operations.stream()
                    .filter(operation -> operation.isRequired() && (isLast || operation.effect() == null))
                    .toList();
            for (int from = 0; from < answers.size() && left > 0; from += size) {
                Violation<S> shorter = shortest.without(answers.subList(from, Math.min(from + size, answers.size())));
                LinearizabilityChecker<S> checker =
                        new LinearizabilityChecker<>(shorter.operations, Math.min(MOST_CONFIGURATIONS_PER_STEP, left));
                shortest = checker.check(initial) == Verdict.ILLEGAL ? shorter : shortest;
                left -= checker.visited() + 1;
            }
        }
        return shortest;
    }

    private Violation<S> without(List<Operation<S>> answered) {
        Set<Operation<S>> omitted = Collections.newSetFromMap(new IdentityHashMap<>());
        omitted.addAll(answered);
        List<Operation<S>> rest = new ArrayList<>();
        for (Operation<S> operation : operations) {
            Operation<S> known = omitted.contains(operation) ? operation.withoutAnswer() : operation;
            if (known != null) {
                rest.add(known);
            }
        }
        return new Violation<>(initial, rest);
    }

    /** Returns the operations whose answers contradict each other, in the order of their calls. */
    List<Operation<S>> contradiction() {
        return operations.stream()
                .filter(Operation::isRequired)
                .sorted(Comparator.comparingLong(Operation::start))
                .toList();
    }

    /** Returns a line for each operation, with the times of call and answer, the process and the text. */
    @Override
    public String toString() {
        List<String> others = operations.stream()
                .filter(operation -> !operation.isRequired())
                .sorted(Comparator.comparingLong(Operation::start))
                .map(operation -> operation.start() + "..    process " + operation.process() + ": " + operation.text())
                .toList();
        List<String> answers = contradiction().stream()
                .map(operation -> operation.start() + ".." + operation.end() + "  process " + operation.process() + ": "
                        + operation.text())
                .toList();
        return lines(answers)
                + (others.isEmpty()
                        ? ""
                        : "\neach of these may have taken effect, at any time after its call:" + lines(others));
    }

    /** Returns the last of these lines; nothing is to be seen in thousands. */
    private static String lines(List<String> all) {
        int left = Math.max(0, all.size() - MOST_LINES);
        return (left == 0 ? "" : "\n  (the first " + left + " are not shown)")
                + all.stream().skip(left).map(line -> "\n  " + line).collect(Collectors.joining());
    }
}
