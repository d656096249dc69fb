package io.counterkit.verification.broken.migration;

import io.counterkit.Seal;
import io.counterkit.spi.NameState;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Chapters 4, 11 and 13, continued: what a backend states wrongly about names that are moved. */
public final class StatedFlaws {
    private StatedFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(RoundedFlaws.all());
        flaws.addAll(List.of(
                flaw(
                        "states addresses of seals in lower case",
                        "11.11",
                        "MigrationStore.states",
                        call -> call.<List<NameState>>passOn()
                                .thenApply(states -> states.stream()
                                        .map(StatedFlaws::inLowerCase)
                                        .toList())),
                flaw(
                        "states what was added after a seal once for a repeated name",
                        "4.12",
                        "MigrationStore.lateAdds",
                        call -> call.passWith(
                                0,
                                call.<List<String>>argument(0).stream()
                                        .distinct()
                                        .toList())),
                Flaw.that("remembers in a process that a subject is live", "13.7")
                        .backend(right -> {
                            Map<List<Object>, Optional<Boolean>> live = new ConcurrentHashMap<>();
                            return Intercepted.of(
                                    right,
                                    call -> call.method().equals("MigrationStore.subject")
                                            ? remembered(live, call)
                                            : call.pass());
                        })));
        return flaws;
    }

    private static Flaw flaw(String does, String breaks, String method, Function<Sent, CompletableFuture<?>> answer) {
        return Flaw.that(does, breaks)
                .backend(right ->
                        Intercepted.of(right, call -> call.method().equals(method) ? answer.apply(call) : call.pass()));
    }

    private static NameState inLowerCase(NameState state) {
        Seal seal = state.seal();
        return seal == null
                ? state
                : new NameState(
                        state.isPresent(),
                        new Seal(seal.forward().toLowerCase(Locale.ROOT), seal.last(), seal.liveCount()),
                        state.sealedAt());
    }

    private static CompletableFuture<?> remembered(Map<List<Object>, Optional<Boolean>> live, Sent call) {
        List<Object> subject = List.of(call.argument(0), call.argument(1));
        Optional<Boolean> before = live.get(subject);
        return before != null
                ? CompletableFuture.completedFuture(before)
                : call.<Optional<Boolean>>passOn().thenApply(isLive -> {
                    if (isLive.orElse(false)) {
                        live.put(subject, isLive);
                    }
                    return isLive;
                });
    }
}
