package io.counterkit.tck.internal.history;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
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

    /**
     * Creates the check of one history.
     *
     * @param mostConfigurations how many configurations the search visits before it gives up
     */
    LinearizabilityChecker(List<Operation<S>> operations, int mostConfigurations) {
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
        return new LinearizabilityChecker<>(operations, mostConfigurations).check(initial);
    }

    /** Checks the history. Called once. */
    Verdict check(S initial) {
        if (isLegal(initial)) {
            return Verdict.LEGAL;
        }
        return isGivenUp ? Verdict.UNDECIDED : Verdict.ILLEGAL;
    }

    /** Returns how many configurations the search has visited. */
    int visited() {
        return visited.size();
    }

    /** Searches without recursion, since a history may be longer than a thread's stack is deep. */
    private boolean isLegal(S initial) {
        Deque<Place<S>> path = new ArrayDeque<>();
        boolean isLegal = enter(path, new BitSet(), initial);
        while (!isLegal && !path.isEmpty() && !isGivenUp) {
            Place<S> place = path.getLast();
            if (place.next == operations.size()) {
                path.removeLast();
            } else {
                isLegal = takeNext(path, place);
            }
        }
        return isLegal;
    }

    /** Takes the next operation of a place, if it can happen there. Returns whether that leads to a legal order. */
    private boolean takeNext(Deque<Place<S>> path, Place<S> place) {
        int next = place.next;
        place.next = Math.min(place.done.nextClearBit(next + 1), operations.size());
        Operation<S> operation = operations.get(next);
        S after = operation.start() < place.firstEnd ? operation.after(place.state) : null;
        if (after == null || (!operation.isRequired() && after.equals(place.state))) {
            return false;
        }
        BitSet more = (BitSet) place.done.clone();
        more.set(next);
        return enter(path, more, after);
    }

    /**
     * Goes to a place, unless it was visited. Returns whether all operations that a legal order needs are done there.
     */
    private boolean enter(Deque<Place<S>> path, BitSet done, S state) {
        observe(done, state);
        int first = done.nextClearBit(0);
        // Ordered by their ends: operations with an unknown outcome come last.
        if (first == operations.size() || !operations.get(first).isRequired()) {
            return true;
        }
        if (visit(done, state)) { // after the observations, which change the set
            path.addLast(new Place<>(done, state, operations.get(first).end(), first));
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

    /** A configuration on the path of the search, and the operation to try next there. */
    private static final class Place<S> {
        final BitSet done;
        final S state;
        final long firstEnd;
        int next;

        Place(BitSet done, S state, long firstEnd, int next) {
            this.done = done;
            this.state = state;
            this.firstEnd = firstEnd;
            this.next = next;
        }
    }
}
