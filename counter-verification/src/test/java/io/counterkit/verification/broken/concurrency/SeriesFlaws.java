package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** Chapter 4: one way to look at a name that is wrong in one state of the name. */
public final class SeriesFlaws {
    private SeriesFlaws() {}

    /** The seal and the presence of a name, and the state that it was imported with. */
    private record State(NameState now, Optional<ImportedState> base) {
        boolean isSealed() {
            return now.seal() != null;
        }

        boolean isImported() {
            return base.isPresent();
        }

        boolean isAbsentImport() {
            return base.isPresent() && !base.get().isPresent();
        }
    }

    public static List<Flaw> all() {
        return List.of(
                totals("reads imported totals of many counters as 0 with a staleness bound", State::isImported),
                totals("reads sealed totals of many counters as 0 with a staleness bound", State::isSealed),
                counters(
                        "reports a counter as absent that was imported as absent, whatever was added",
                        "MigrationStore.states",
                        1,
                        State::isAbsentImport,
                        (NameState state) -> new NameState(false, state.seal(), state.sealedAt())),
                counters(
                        "reports a counter as absent that was imported with the total 0",
                        "MigrationStore.states",
                        1,
                        state -> state.base()
                                .filter(base -> base.isPresent() && base.value() == 0)
                                .isPresent(),
                        (NameState state) -> new NameState(false, state.seal(), state.sealedAt())),
                counters(
                        "returns no imported state of a counter that was imported as absent and added to",
                        "MigrationStore.bases",
                        1,
                        state -> state.isAbsentImport() && state.now().isPresent(),
                        (Optional<ImportedState> base) -> Optional.empty()),
                lists(
                        "omits counters from its lists that were imported as absent",
                        Kind.COUNTER,
                        State::isAbsentImport),
                Flaw.that("omits imported counters with a negative total from the largest", "4.12")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("CounterStore.top")
                                        ? call.<List<NamedReading>>passOn()
                                                .thenApply(largest -> largest.stream()
                                                        .filter(named ->
                                                                named.reading().value() >= 0
                                                                        || !state(right, Kind.COUNTER, named.name())
                                                                                .isImported())
                                                        .toList())
                                        : call.pass())),
                sequences(
                        "shows no seal of a sequence that was imported as absent",
                        "SequenceStore.tail",
                        State::isAbsentImport,
                        (Tail tail) -> new Tail(tail.last(), tail.liveCount(), null)),
                sequences(
                        "omits erased entries of an imported sequence that is sealed",
                        "SequenceStore.read",
                        state -> state.isImported() && state.isSealed(),
                        (List<Entry> entries) -> entries.stream()
                                .filter(entry -> !entry.erased())
                                .toList()),
                lists(
                        "omits sealed sequences from its lists that were imported as absent",
                        Kind.SEQUENCE,
                        state -> state.isAbsentImport() && state.isSealed()));
    }

    private static State state(CounterBackend right, Kind kind, String name) {
        Call call = Commits.own();
        return new State(
                right.migration().states(kind, List.of(name), call).join().get(0),
                right.migration().bases(kind, List.of(name), call).join().get(0));
    }

    private static Flaw totals(String does, Predicate<State> isWrong) {
        return Flaw.that(does, "4.12")
                .backend(right -> Intercepted.of(right, call -> {
                    if (!call.method().equals("CounterStore.read")) {
                        return call.pass();
                    }
                    List<String> names = call.argument(0);
                    Duration bound = call.argument(1);
                    return names.size() == 1 || bound.isZero()
                            ? call.pass()
                            : eachOf(
                                    right,
                                    call,
                                    names,
                                    isWrong,
                                    (Result<Reading> read) -> Result.of(
                                            new Reading(0, read.orThrow().asOf(), Duration.ZERO)));
                }));
    }

    private static <T> Flaw counters(
            String does, String method, int place, Predicate<State> isWrong, Function<T, T> wrong) {
        return Flaw.that(does, "4.12")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method) && call.argument(0) == Kind.COUNTER
                                ? eachOf(right, call, call.argument(place), isWrong, wrong)
                                : call.pass()));
    }

    /** Changes the answers for counters in this state. */
    private static <T> CompletableFuture<List<T>> eachOf(
            CounterBackend right, Sent call, List<String> names, Predicate<State> isWrong, Function<T, T> wrong) {
        return call.<List<T>>passOn().thenApply(answers -> {
            List<T> changed = new ArrayList<>(answers);
            for (int i = 0; i < names.size(); i++) {
                if (isWrong.test(state(right, Kind.COUNTER, names.get(i)))) {
                    changed.set(i, wrong.apply(answers.get(i)));
                }
            }
            return changed;
        });
    }

    private static <T> Flaw sequences(String does, String method, Predicate<State> isWrong, Function<T, T> wrong) {
        return Flaw.that(does, "4.13")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method)
                                ? call.<T>passOn()
                                        .thenApply(answer -> isWrong.test(state(right, Kind.SEQUENCE, call.argument(0)))
                                                ? wrong.apply(answer)
                                                : answer)
                                : call.pass()));
    }

    private static Flaw lists(String does, Kind kind, Predicate<State> isOmitted) {
        String method = (kind == Kind.COUNTER ? "CounterStore" : "SequenceStore") + ".names";
        return Flaw.that(does, kind == Kind.COUNTER ? "4.12" : "4.13")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method)
                                ? call.<NamePage>passOn()
                                        .thenApply(page -> new NamePage(
                                                page.names().stream()
                                                        .filter(name -> !isOmitted.test(state(right, kind, name)))
                                                        .toList(),
                                                page.next()))
                                : call.pass()));
    }
}
