package io.counterkit.verification.broken.migration;

import io.counterkit.Entry;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Fields;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Chapters 6, 7 and 13, continued: seals and imported states that one answer shows wrongly. */
final class RoundedFlaws {
    private RoundedFlaws() {}

    static List<Flaw> all() {
        return List.of(
                flaw(
                        "refuses appends with the seal in floating point",
                        "SequenceStore.append",
                        call -> call.<List<Result<Entry>>>passOn()
                                .thenApply(results -> results.stream()
                                        .map(result -> result.failure() instanceof SealedException refused
                                                ? Result.<Entry>failed(
                                                        new SealedException(call.argument(0), rounded(refused.seal())))
                                                : result)
                                        .toList())),
                flaw(
                        "states the seals of sequences in floating point",
                        "MigrationStore.states",
                        call -> call.<List<NameState>>passOn()
                                .thenApply(states -> states.stream()
                                        .map(state -> new NameState(
                                                state.isPresent(), rounded(state.seal()), state.sealedAt()))
                                        .toList())),
                Flaw.that("returns the number of a repeated append in floating point", "6.7")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("SequenceStore.append")
                                        ? withRoundedRepetitions(call)
                                        : call.pass())),
                imported(
                        "returns imported last numbers in floating point",
                        base -> new ImportedState(
                                base.origin(), base.isPresent(), base.value(), (long) (double) base.last())),
                Flaw.that("begins an imported counter with the nearest total that can be read", "13.1")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("MigrationStore.importBase")
                                        ? call.passWith(2, readable(call.argument(2)))
                                        : call.pass())),
                imported(
                        "returns imported live counts in 32 bits",
                        base -> new ImportedState(base.origin(), base.isPresent(), (int) base.value(), base.last())),
                flaw(
                        "resolves the commits of appends in floating point",
                        "CounterBackend.resolve",
                        call -> call.<Resolution>passOn()
                                .thenApply(resolution -> resolution instanceof Resolution.Appended append
                                                && call.arguments().get(1) != null
                                        ? new Resolution.Appended(append.sequence(), (long) (double) append.number())
                                        : resolution)),
                Flaw.that("returns another seal of a counter if the reply was lost", "7.11")
                        .backend(right -> Intercepted.of(right, call -> sealed(right, call))),
                Flaw.that("takes the time of seals when a process connects", "13.10")
                        .backend(ConcurrentHashMap::new, RoundedFlaws::connected));
    }

    private static Flaw flaw(String does, String method, Function<Sent, CompletableFuture<?>> answer) {
        return Flaw.that(does, "6.7")
                .backend(right ->
                        Intercepted.of(right, call -> call.method().equals(method) ? answer.apply(call) : call.pass()));
    }

    private static Flaw imported(String does, Function<ImportedState, ImportedState> shown) {
        return flaw(
                does,
                "MigrationStore.bases",
                call -> call.argument(0) == Kind.SEQUENCE
                        ? call.<List<Optional<ImportedState>>>passOn()
                                .thenApply(bases -> bases.stream()
                                        .map(base -> base.map(shown))
                                        .toList())
                        : call.pass());
    }

    private static @Nullable Seal rounded(@Nullable Seal seal) {
        return seal == null
                ? null
                : new Seal(seal.forward(), (long) (double) seal.last(), (long) (double) seal.liveCount());
    }

    /** Looks whether the counter is sealed if the reply is lost, and returns a seal without its total. */
    private static CompletableFuture<?> sealed(CounterBackend right, Sent call) {
        return call.method().equals("CounterStore.seal")
                ? Futures.recover(
                        call.<Seal>passOn(),
                        OutcomeUnknownException.class,
                        unknown -> right.migration()
                                .states(Kind.COUNTER, List.of(call.<String>argument(0)), Commits.own())
                                .handle((states, failure) -> {
                                    if (failure != null || states.get(0).seal() == null) {
                                        throw unknown;
                                    }
                                    return new Seal(call.argument(1), 0, 0);
                                }))
                : call.pass();
    }

    private static CounterBackend connected(CounterBackend right, Map<Object, Instant> times) {
        Instant connected = Instant.now();
        return Intercepted.of(right, call -> switch (call.method()) {
            case "CounterStore.seal", "SequenceStore.seal" ->
                call.<Seal>passOn().thenApply(seal -> {
                    times.putIfAbsent(seal, connected);
                    return seal;
                });
            case "MigrationStore.states" ->
                call.<List<NameState>>passOn()
                        .thenApply(states -> states.stream()
                                .map(state -> state.seal() == null
                                        ? state
                                        : new NameState(
                                                state.isPresent(),
                                                state.seal(),
                                                times.getOrDefault(state.seal(), connected)))
                                .toList());
            default -> call.pass();
        });
    }

    private static ImportedState readable(ImportedState base) {
        long total = Math.max(-Limits.MAX_TOTAL, Math.min(Limits.MAX_TOTAL, base.value()));
        return new ImportedState(base.origin(), base.isPresent(), total, base.last());
    }

    /** Takes an append for a repeated one if the fields of its entry are others. */
    private static CompletableFuture<?> withRoundedRepetitions(Sent call) {
        List<AppendRequest> requests = call.argument(1);
        return call.<List<Result<Entry>>>passOn()
                .thenApply(results -> IntStream.range(0, results.size())
                        .mapToObj(i -> rounded(results.get(i), requests.get(i)))
                        .toList());
    }

    private static Result<Entry> rounded(Result<Entry> result, AppendRequest request) {
        Entry entry = result.value();
        return entry == null || Fields.areEqual(entry.fields(), request.fields())
                ? result
                : Result.of(new Entry(
                        (long) (double) entry.number(),
                        entry.appendedAt(),
                        entry.change(),
                        entry.subject(),
                        entry.fields(),
                        entry.liveCount(),
                        entry.erased()));
    }
}
