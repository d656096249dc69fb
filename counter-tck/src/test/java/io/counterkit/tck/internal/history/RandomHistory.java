package io.counterkit.tck.internal.history;

import io.counterkit.tck.internal.history.BruteForce.Call;
import io.counterkit.tck.internal.history.BruteForce.Failed;
import io.counterkit.tck.internal.history.BruteForce.Model;
import io.counterkit.tck.internal.history.BruteForce.Observed;
import io.counterkit.tck.internal.history.BruteForce.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Generates a legal history: carries out random calls of some processes on a model, one effect after another. */
final class RandomHistory<S> {
    private static final int MOST_CALLS = 6;
    private static final Set<String> READS = Set.of("read", "recent", "listed", "tail");

    private final Random random;
    private final Model<S> model;
    private final Calls calls;
    private final List<String> tokens = new ArrayList<>(List.of("t", "tt"));
    private final List<Active> active = new ArrayList<>();

    /** Calls whose caller has left and whose effect may still come. */
    private final List<Active> late = new ArrayList<>();

    private final List<Observed> history = new ArrayList<>();
    private S state;
    private long time;

    /** The state at each time. */
    private final List<S> states = new ArrayList<>();

    /** Chooses calls. */
    interface Calls {
        Call next(Random random, List<String> tokens, int index);
    }

    private static final class Active {
        final Observed sent;

        @Nullable Object answer;

        Active(Observed sent) {
            this.sent = sent;
        }
    }

    RandomHistory(Random random, Model<S> model, S initial, Calls calls) {
        this.random = random;
        this.model = model;
        this.state = initial;
        states.add(initial);
        this.calls = calls;
    }

    List<Observed> generate() {
        int processes = random.nextInt(2, 4);
        int count = random.nextInt(2, MOST_CALLS + 1);
        int begun = 0;
        while (begun < count || !active.isEmpty()) {
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    int process = random.nextInt(processes);
                    if (begun < count && active.stream().noneMatch(other -> other.sent.process() == process)) {
                        Call call = calls.next(random, tokens, ++begun);
                        begin(new Observed(process, next(), 0, call, "g" + begun, Failed.UNKNOWN));
                    }
                }
                case 2, 3 -> takeEffect(active);
                case 4 -> takeEffect(late);
                case 5 -> end(false);
                default -> end(random.nextInt(3) == 0);
            }
        }
        history.sort(Comparator.comparingLong(Observed::start));
        return history;
    }

    private long next() {
        states.add(state);
        return ++time;
    }

    /** Begins a call, which may already have an old answer. */
    private void begin(Observed sent) {
        Active begun = new Active(sent);
        int then = random.nextInt(states.size());
        if (random.nextBoolean()) {
            begun.answer = model.old(states.get(then), sent.call(), sent.start() - then);
        }
        active.add(begun);
    }

    private void takeEffect(List<Active> some) {
        List<Active> waiting = some.stream().filter(each -> each.answer == null).toList();
        if (!waiting.isEmpty()) {
            Active next = waiting.get(random.nextInt(waiting.size()));
            List<Outcome<S>> outcomes = model.outcomes(state, next.sent);
            Outcome<S> outcome = outcomes.get(0);
            next.answer = outcome.answer();
            state = outcome.after();
        }
    }

    /** Ends a call, with its answer or without. */
    private void end(boolean isFailing) {
        if (active.isEmpty()) {
            return;
        }
        Active ending = active.get(random.nextInt(active.size()));
        Observed sent = ending.sent;
        Object answer = ending.answer;
        String kind = sent.call().kind();
        if (isFailing && !READS.contains(kind)) {
            boolean isUnknown = answer != null || kind.equals("resolve") || random.nextBoolean();
            if (isUnknown) {
                late.add(ending);
                tokens.add(sent.token());
            }
            end(ending, isUnknown ? Failed.UNKNOWN : Failed.NOT_APPLIED);
        } else if (answer != null) {
            end(ending, model.refreshed(state, answer, random));
        }
    }

    private void end(Active ending, Object answer) {
        Observed sent = ending.sent;
        active.remove(ending);
        history.add(new Observed(sent.process(), sent.start(), next(), sent.call(), sent.own(), answer));
    }
}
