package io.counterkit.tck.internal.history;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether the operations on one object have a legal order: it keeps the order of operations that do not
 * overlap, and each answer in it is correct. Operations without an answer may be left out.
 *
 * <p>Searches depth first (Wing and Gong, Testing and verifying concurrent objects, 1993) and visits each configuration
 * once (Lowe, Testing for linearizability, 2017). A history of several objects is legal if that of each one is (Herlihy
 * and Wing, 1990), so each is checked alone.
 */
final class LinearizabilityChecker<S> {
    /** What a check found. */
    enum Verdict {
        /** There is a legal order. */
        LEGAL,
        /** There is no legal order. */
        ILLEGAL,
        /** The search reached its limit. */
        UNDECIDED
    }

    private final List<Operation<S>> operations;
    private final int mostConfigurations;
    private final Set<Configuration<S>> visited = new HashSet<>();
    private boolean isGivenUp;

    private LinearizabilityChecker(List<Operation<S>> operations, int mostConfigurations) {
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::end))
                .toList();
        this.mostConfigurations = mostConfigurations;
    }

    /**
     * Checks a history.
     *
     * @param initial the state of the object before the first operation
     * @param mostConfigurations how many configurations the search visits before it gives up
     */
    static <S> Verdict check(S initial, List<Operation<S>> operations, int mostConfigurations) {
        LinearizabilityChecker<S> checker = new LinearizabilityChecker<>(operations, mostConfigurations);
        if (checker.isLegal(new BitSet(), initial)) {
            return Verdict.LEGAL;
        }
        return checker.isGivenUp ? Verdict.UNDECIDED : Verdict.ILLEGAL;
    }

    /** Returns whether the operations that are not in {@code done} have a legal order from this state. */
    private boolean isLegal(BitSet done, S state) {
        observe(done, state);
        int first = done.nextClearBit(0);
        // Ordered by their ends: operations with an unknown outcome come last.
        if (first == operations.size() || !operations.get(first).isRequired()) {
            return true;
        }
        if (!visit(done, state)) { // after the observations, which change the set
            return false;
        }
        long firstEnd = operations.get(first).end();
        for (int next = first; next < operations.size() && !isGivenUp; next = done.nextClearBit(next + 1)) {
            Operation<S> operation = operations.get(next);
            S after = operation.start() < firstEnd ? operation.after(state) : null;
            if (after == null || (!operation.isRequired() && after.equals(state))) {
                continue;
            }
            BitSet more = (BitSet) done.clone();
            more.set(next);
            if (isLegal(more, after)) {
                return true;
            }
        }
        return false;
    }

    /** Takes observations that are correct in this state first, which excludes no order of the others. */
    private void observe(BitSet done, S state) {
        int next = done.nextClearBit(0);
        while (next < operations.size()) {
            long firstEnd = operations.get(done.nextClearBit(0)).end();
            Operation<S> operation = operations.get(next);
            boolean isObserved =
                    operation.effect() == null && operation.start() < firstEnd && operation.after(state) != null;
            if (isObserved) {
                done.set(next);
            }
            // The new first end may admit earlier ones.
            next = done.nextClearBit(isObserved ? 0 : next + 1);
        }
    }

    private boolean visit(BitSet done, S state) {
        if (visited.size() >= mostConfigurations) {
            isGivenUp = true;
            return false;
        }
        return visited.add(new Configuration<>(done, state));
    }

    private record Configuration<S>(BitSet done, S state) {}
}
