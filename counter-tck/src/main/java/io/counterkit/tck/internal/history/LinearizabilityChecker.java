package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import io.counterkit.tck.internal.history.Operation.Kind;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

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

    private static final int NONE = -1;

    /** The operations that every legal order contains, by their ends. */
    private final List<Operation<S>> required;

    /** The operations that a legal order may leave out. */
    private final List<Operation<S>> optional;

    /** The earliest start of each required operation and of all after it. */
    private final long[] earliestStarts;

    private final int mostConfigurations;
    private final Set<Configuration<S>> visited = new HashSet<>();
    private boolean isGivenUp;

    /**
     * Creates the check of one history.
     *
     * @param mostConfigurations how many configurations the search visits before it gives up
     */
    LinearizabilityChecker(List<Operation<S>> operations, int mostConfigurations) {
        this.required = operations.stream()
                .filter(Operation::isRequired)
                .sorted(Comparator.comparingLong(Operation::end))
                .toList();
        this.optional = withoutNeverApplied(operations);
        this.earliestStarts = earliestStarts(required);
        this.mostConfigurations = mostConfigurations;
    }

    /** Returns the optional operations that may take effect: no answer states that their token was never applied. */
    private static <S> List<Operation<S>> withoutNeverApplied(List<Operation<S>> operations) {
        Set<IdempotencyToken> never = operations.stream()
                .filter(operation -> operation.kind() == Kind.NEVER_APPLIED)
                .map(Operation::token)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return operations.stream()
                .filter(operation -> !operation.isRequired() && !never.contains(operation.token()))
                .toList();
    }

    private static long[] earliestStarts(List<? extends Operation<?>> operations) {
        long[] starts = new long[operations.size()];
        long earliest = Long.MAX_VALUE;
        for (int i = starts.length - 1; i >= 0; i--) {
            earliest = Math.min(earliest, operations.get(i).start());
            starts[i] = earliest;
        }
        return starts;
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
        boolean isLegal = enter(path, new Configuration<>(0, new BitSet(), new BitSet(), initial), NONE);
        while (!isLegal && !path.isEmpty() && !isGivenUp) {
            Place<S> place = path.getLast();
            if (place.next > place.configuration.first() && place.isFirstNext) {
                path.removeLast();
            } else if (place.next < required.size() && earliestStarts[place.next] >= place.firstEnd) {
                place.next = required.size(); // all further required ones begin later
            } else if (place.next == required.size() + optional.size()) {
                path.removeLast();
            } else {
                isLegal = takeNext(path, place);
            }
        }
        return isLegal;
    }

    /** Takes the next operation of a place, if it can happen there. Returns whether that leads to a legal order. */
    private boolean takeNext(Deque<Place<S>> path, Place<S> place) {
        int next = place.next++;
        boolean isRequired = next < required.size();
        int index = isRequired ? next : next - required.size();
        Configuration<S> before = place.configuration;
        if (isRequired ? before.hasRequired(index) : before.optional().get(index) || isSwapped(place.last, index)) {
            return false;
        }
        Operation<S> operation = (isRequired ? required : optional).get(index);
        S after = operation.start() < place.firstEnd ? operation.after(before.state()) : null;
        if (after == null || (!isRequired && after.equals(before.state()))) {
            return false;
        }
        return isRequired
                ? enter(path, before.withRequired(index, after), NONE)
                : enter(path, before.withOptional(index, after), index);
    }

    /** Returns whether two optional operations in a row are tried in the other order, which is as good. */
    private boolean isSwapped(int last, int index) {
        return index < last && optional.get(last).commutes(optional.get(index));
    }

    /**
     * Goes to a place, unless it was visited. Returns whether all operations that a legal order needs are done there.
     *
     * @param last the optional operation that leads there, or {@link #NONE}
     */
    private boolean enter(Deque<Place<S>> path, Configuration<S> entered, int last) {
        Configuration<S> configuration = observed(entered);
        if (configuration.first() == required.size()) {
            return true;
        }
        if (visit(configuration)) {
            path.addLast(new Place<>(
                    configuration,
                    firstEnd(configuration),
                    isFirstNext(configuration),
                    configuration.equals(entered) ? last : NONE));
        }
        return false;
    }

    /**
     * Returns whether there is a legal order in which the first operation that ends is the next one, if there is any:
     * it commutes with all that may come before it.
     */
    private boolean isFirstNext(Configuration<S> configuration) {
        Operation<S> first = required.get(configuration.first());
        for (int i = configuration.first() + 1; i < required.size() && earliestStarts[i] < first.end(); i++) {
            Operation<S> other = required.get(i);
            if (other.start() < first.end() && !configuration.hasRequired(i) && !first.commutes(other)) {
                return false;
            }
        }
        return optional.stream().allMatch(other -> other.start() >= first.end() || first.commutes(other));
    }

    /** Returns when the first required operation ends that is not done. */
    private long firstEnd(Configuration<S> configuration) {
        return required.get(configuration.first()).end();
    }

    /** Takes observations that are correct in this state first, which excludes no order of the others. */
    private Configuration<S> observed(Configuration<S> entered) {
        Configuration<S> configuration = entered;
        int next = configuration.first();
        while (next < required.size() && earliestStarts[next] < firstEnd(configuration)) {
            Operation<S> operation = required.get(next);
            boolean isObserved = operation.effect() == null
                    && operation.start() < firstEnd(configuration)
                    && !configuration.hasRequired(next)
                    && operation.after(configuration.state()) != null;
            if (isObserved) {
                configuration = configuration.withRequired(next, configuration.state());
            }
            // The new first end may admit earlier ones.
            next = isObserved ? configuration.first() : next + 1;
        }
        return configuration;
    }

    private boolean visit(Configuration<S> configuration) {
        if (visited.size() >= mostConfigurations) {
            isGivenUp = true;
            return false;
        }
        return visited.add(configuration);
    }

    /**
     * The operations that are done, and the state after them. Its size depends on how many operations overlap, and not
     * on the length of the history.
     *
     * @param first the first required operation that is not done
     * @param later the required operations that are done, counted from {@code first}
     * @param optional the optional operations that are done
     */
    private record Configuration<S>(int first, BitSet later, BitSet optional, S state) {
        boolean hasRequired(int index) {
            return index < first || later.get(index - first);
        }

        Configuration<S> withRequired(int index, S after) {
            BitSet more = (BitSet) later.clone();
            more.set(index - first);
            int done = more.nextClearBit(0);
            return new Configuration<>(first + done, more.get(done, Math.max(done, more.length())), optional, after);
        }

        Configuration<S> withOptional(int index, S after) {
            BitSet more = (BitSet) optional.clone();
            more.set(index);
            return new Configuration<>(first, later, more, after);
        }
    }

    /** A configuration on the path of the search, and the operation to try next there. */
    private static final class Place<S> {
        final Configuration<S> configuration;
        final long firstEnd;

        /** Whether only the first required operation need be tried. */
        final boolean isFirstNext;

        /** The optional operation that leads here, without an observation after it. */
        final int last;

        int next;

        Place(Configuration<S> configuration, long firstEnd, boolean isFirstNext, int last) {
            this.configuration = configuration;
            this.firstEnd = firstEnd;
            this.isFirstNext = isFirstNext;
            this.last = last;
            this.next = configuration.first();
        }
    }
}
