package io.counterkit.tck.internal.model;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A change of one counter or one sequence, which a backend and a model make.
 *
 * @param label names the change in messages
 * @param needs the capabilities that it needs
 * @param role the part that it has in a long series
 */
record Step(String label, Set<Capability> needs, Role role, Action action) {
    /** The part that a change has in a long series. */
    enum Role {
        /** It imports the name, which only an unused name allows. */
        IMPORT,
        /** It depends on what an earlier change may have left: the token of the name, or a fast path. */
        DEPENDENT,
        /** It seals the name, which ends most changes. */
        SEAL,
        OTHER
    }

    /** Makes the change. Returns false, and does nothing, if the contract does not state its result in this state. */
    interface Action {
        boolean run(Turn turn);
    }

    /**
     * Where a change is made.
     *
     * @param process the process that makes it
     * @param model the expected state of the store
     * @param name the name of the counter or sequence
     * @param random decides what is sent in a batch
     * @param applied receives the tokens of commits that were applied; null if no token is made
     * @param doing describes the change in messages
     */
    record Turn(
            CounterBackend process,
            StoreModel model,
            String name,
            Supplier<Commit> commits,
            Random random,
            @Nullable AppliedCommits applied,
            String doing) {
        CounterModel counter() {
            return model.counter(name);
        }

        SequenceModel sequence() {
            return model.sequence(name);
        }

        Commit commit() {
            return commits.get();
        }

        /** Returns the only token of this name, which is as long and as unusual as the name. */
        IdempotencyToken token() {
            return IdempotencyToken.of(name);
        }

        /** Returns the only subject of this sequence. */
        String subject() {
            return name;
        }

        /** Returns an address or an origin, which is as unusual as the name. */
        String place(char first) {
            return first + name.substring(1);
        }

        /**
         * Returns a request alone or, in half of the cases, with another one, if the store accepts both in one batch.
         */
        <R> List<R> batch(R request, R other, Predicate<List<R>> isAccepted) {
            List<R> both = random.nextBoolean() ? List.of(request, other) : List.of(other, request);
            return random.nextBoolean() && isAccepted.test(both) ? both : List.of(request);
        }

        Object answer(Supplier<? extends CompletableFuture<?>> call) {
            return Answers.of(call, doing);
        }

        /**
         * Makes a change.
         *
         * @param isStored whether the store has to know the token of the commit if the change is applied
         */
        Object make(ChangeTarget target, boolean isStored, Function<Commit, ? extends CompletableFuture<?>> change) {
            Commit commit = commits.get();
            if (applied == null || !isStored) {
                return answer(() -> change.apply(commit));
            }
            IdempotencyToken token = commit.token();
            Object answer = answer(() -> change.apply(commit));
            if (!Answers.isFailure(answer)) {
                applied.add(token, target, answer);
            }
            return answer;
        }

        /** Compares the answer of the backend with that of the model. */
        boolean check(Supplier<? extends CompletableFuture<?>> call, Object expected) {
            return check(answer(call), expected);
        }

        boolean check(Object answer, Object expected) {
            Answers.check(answer, expected, doing);
            return true;
        }
    }

    static Step of(String label, Action action) {
        return new Step(label, Set.of(), Role.OTHER, action);
    }

    /** Returns a change that needs a capability. */
    static Step with(Capability capability, String label, Action action) {
        return new Step(label, Set.of(capability), Role.OTHER, action);
    }

    /** Returns the changes that have a role. */
    static List<Step> inRole(Role role, List<Step> steps) {
        return steps.stream().filter(step -> step.role == role).toList();
    }

    /** Returns this change in another role. */
    Step as(Role other) {
        return new Step(label, needs, other, action);
    }

    /** Returns the resolution of the only token of a name. */
    static Step resolution() {
        return of("a resolution of that token", turn -> {
                    Resolution expected =
                            turn.model().tokens.computeIfAbsent(turn.token(), unknown -> new Resolution.NotApplied());
                    return turn.check(() -> turn.process().resolve(turn.token(), null, turn.commit()), expected);
                })
                .as(Role.DEPENDENT);
    }

    /** Returns the resolution of a commit that is never sent. */
    static Step resolutionOfACommit(Function<String, ChangeTarget> target) {
        return of(
                "a resolution of a commit that is never sent",
                turn -> turn.check(
                        () -> turn.process().resolve(turn.commit().token(), target.apply(turn.name()), turn.commit()),
                        new Resolution.NotApplied()));
    }
}
