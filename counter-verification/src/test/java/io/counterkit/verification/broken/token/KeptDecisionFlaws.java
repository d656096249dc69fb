package io.counterkit.verification.broken.token;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Rewritten;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Chapters 5 and 7: decisions that another change of the name removes, and resolutions whose failure is kept. */
public final class KeptDecisionFlaws {
    private KeptDecisionFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(GeneratedTokenFlaws.all());
        flaws.addAll(List.of(
                forgetting("forgets decisions about a name that is imported", "MigrationStore.importBase", 1),
                forgetting("forgets decisions about a sequence of which an entry is erased", "SequenceStore.erase", 0),
                Flaw.that("forgets decisions about tokens of adds when a counter is sealed", "5.9")
                        .backend(Decisions::new, KeptDecisionFlaws::forgettingAtASeal),
                Flaw.that("returns the failure of a resolution again when the token is resolved again", "5.21")
                        .backend(right -> {
                            Map<IdempotencyToken, CompletableFuture<?>> kept = new ConcurrentHashMap<>();
                            return Intercepted.of(
                                    right,
                                    call -> call.method().equals("CounterBackend.resolve")
                                            ? kept.computeIfAbsent(call.argument(0), token -> call.pass())
                                            : call.pass());
                        })));
        return flaws;
    }

    /**
     * The tokens of commits that were resolved as not applied, by the name of their target, and those forgotten since.
     */
    private static final class Decisions {
        private final Map<String, List<IdempotencyToken>> made = new ConcurrentHashMap<>();
        private final List<IdempotencyToken> forgotten = new CopyOnWriteArrayList<>();
    }

    /** @param place the place of the name among the arguments of the method */
    private static Flaw forgetting(String does, String method, int place) {
        return Flaw.that(does, "7.18")
                .backend(
                        Decisions::new,
                        (right, decisions) -> Intercepted.of(right, call -> {
                            if (call.method().equals("CounterBackend.resolve")) {
                                return call.<Resolution>passOn()
                                        .thenApply(resolution -> record(decisions, call, resolution));
                            }
                            return withoutForgotten(decisions, call).thenApply(done -> {
                                if (call.method().equals(method)) {
                                    String name = call.argument(place);
                                    decisions.forgotten.addAll(decisions.made.getOrDefault(name, List.of()));
                                }
                                return done;
                            });
                        }));
    }

    private static CounterBackend forgettingAtASeal(CounterBackend right, Decisions decisions) {
        CounterBackend noting = Intercepted.of(right, call -> {
            if (call.method().equals("CounterStore.seal")) {
                decisions.made.values().forEach(decisions.forgotten::addAll);
            }
            return call.method().equals("CounterBackend.resolve")
                    ? call.<Resolution>passOn().thenApply(resolution -> {
                        decisions.made.put(resolution.toString(), List.of(call.argument(0)));
                        return resolution;
                    })
                    : call.pass();
        });
        CounterStore adds = Rewritten.tokensOfAdds(
                noting.counters(),
                token -> decisions.forgotten.contains(IdempotencyToken.of(token)) ? token + " again" : token);
        return new WithMigration(noting, adds, noting.sequences(), noting.migration());
    }

    private static Resolution record(Decisions decisions, Sent call, Resolution resolution) {
        ChangeTarget target = call.argument(1);
        if (target != null && !resolution.applied()) {
            decisions
                    .made
                    .computeIfAbsent(target.name(), name -> new CopyOnWriteArrayList<>())
                    .add(call.argument(0));
        }
        return resolution;
    }

    /** Sends a change whose decision was forgotten with another commit. */
    private static CompletableFuture<?> withoutForgotten(Decisions decisions, Sent call) {
        boolean isForgotten = call.last() instanceof Commit commit
                && commit.isTokenMade()
                && decisions.forgotten.contains(commit.token());
        return isForgotten ? call.passWith(call.arguments().size() - 1, Commits.another(call.last())) : call.pass();
    }
}
