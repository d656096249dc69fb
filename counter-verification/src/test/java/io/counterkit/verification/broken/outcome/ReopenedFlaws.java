package io.counterkit.verification.broken.outcome;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Resolution;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 12, continued: what is lost when the last process is closed. */
public final class ReopenedFlaws {
    private ReopenedFlaws() {}

    /** What a store forgets when no process is open. */
    private static final class Memory {
        private final AtomicInteger open = new AtomicInteger();
        private final Set<Object> kept = ConcurrentHashMap.newKeySet();
        private final Set<Object> lost = ConcurrentHashMap.newKeySet();

        void closeOne() {
            if (open.decrementAndGet() == 0) {
                lost.addAll(kept);
            }
        }
    }

    /** Notes what a call changes, and answers from what is not lost. */
    private interface Answering {
        CompletableFuture<?> answer(Memory memory, Sent call);
    }

    public static List<Flaw> all() {
        return List.of(
                forgetting("that names were imported", ReopenedFlaws::imports),
                forgetting("imported subjects", ReopenedFlaws::subjects),
                forgetting("copied entries", ReopenedFlaws::copies),
                forgetting("the times of seals", ReopenedFlaws::timesOfSeals),
                forgetting("that subjects were removed", ReopenedFlaws::removals),
                forgetting("the commits of resets", (memory, call) -> commits(memory, call, "CounterStore.reset")),
                forgetting("the commits of appends", (memory, call) -> commits(memory, call, "SequenceStore.append")),
                forgetting("the commits of seals", (memory, call) -> commits(memory, call, "CounterStore.seal")),
                forgetting("decisions about commits", ReopenedFlaws::decisions));
    }

    private static Flaw forgetting(String what, Answering answering) {
        return Flaw.that("forgets " + what + " when its last process is closed", "12.7")
                .backend(Memory::new, (right, memory) -> {
                    memory.open.incrementAndGet();
                    AtomicBoolean isClosed = new AtomicBoolean();
                    CounterBackend process = Intercepted.of(right, call -> answering.answer(memory, call));
                    return new ForwardingCounterBackend(process) {
                        @Override
                        public void close() {
                            if (isClosed.compareAndSet(false, true)) {
                                memory.closeOne();
                            }
                            super.close();
                        }
                    };
                });
    }

    private static CompletableFuture<?> imports(Memory memory, Sent call) {
        return switch (call.method()) {
            case "MigrationStore.importBase" -> noting(memory, call, List.of(call.argument(0), call.argument(1)));
            case "MigrationStore.bases" ->
                call.<List<Optional<ImportedState>>>passOn()
                        .thenApply(bases -> Joined.of(
                                call.<List<String>>argument(1),
                                bases,
                                (name, base) -> memory.lost.contains(List.of(call.argument(0), name))
                                        ? Optional.<ImportedState>empty()
                                        : base));
            default -> call.pass();
        };
    }

    private static CompletableFuture<?> subjects(Memory memory, Sent call) {
        List<Object> key = call.arguments().size() < 2
                ? List.of()
                : List.of(call.argument(0), String.valueOf(call.<Object>argument(1)));
        return switch (call.method()) {
            case "MigrationStore.importSubject" -> noting(memory, call, key);
            case "MigrationStore.subject" -> memory.lost.contains(key) ? Futures.done(Optional.empty()) : call.pass();
            default -> call.pass();
        };
    }

    private static CompletableFuture<?> copies(Memory memory, Sent call) {
        return switch (call.method()) {
            case "MigrationStore.copy" -> {
                call.<List<Entry>>argument(1)
                        .forEach(entry -> memory.kept.add(List.of(call.argument(0), entry.number())));
                yield call.pass();
            }
            case "SequenceStore.read" ->
                call.<List<Entry>>passOn()
                        .thenApply(entries -> entries.stream()
                                .filter(entry -> !memory.lost.contains(List.of(call.argument(0), entry.number())))
                                .toList());
            default -> call.pass();
        };
    }

    private static CompletableFuture<?> timesOfSeals(Memory memory, Sent call) {
        return switch (call.method()) {
            case "CounterStore.seal", "SequenceStore.seal" -> noting(memory, call, call.argument(0));
            case "MigrationStore.states" ->
                call.<List<NameState>>passOn()
                        .thenApply(states -> Joined.of(
                                call.<List<String>>argument(1),
                                states,
                                (name, state) -> state.seal() != null && memory.lost.contains(name)
                                        ? new NameState(state.isPresent(), state.seal(), Instant.now())
                                        : state));
            default -> call.pass();
        };
    }

    private static CompletableFuture<?> removals(Memory memory, Sent call) {
        return switch (call.method()) {
            case "SequenceStore.append" -> {
                for (AppendRequest request : call.<List<AppendRequest>>argument(1)) {
                    if (request.change() == Change.REMOVED && request.subject() != null) {
                        memory.kept.add(List.of(call.argument(0), request.subject()));
                    }
                }
                yield call.pass();
            }
            case "MigrationStore.subject" ->
                memory.lost.contains(List.of(call.argument(0), call.argument(1)))
                        ? Futures.done(Optional.of(true))
                        : call.pass();
            default -> call.pass();
        };
    }

    private static CompletableFuture<?> commits(Memory memory, Sent call, String method) {
        if (call.method().equals(method)) {
            Commit commit = call.last();
            return noting(memory, call, commit.token());
        }
        return call.method().equals("CounterBackend.resolve") && memory.lost.contains(call.<Object>argument(0))
                ? Futures.done(new Resolution.NotApplied())
                : call.pass();
    }

    private static CompletableFuture<?> decisions(Memory memory, Sent call) {
        if (call.method().equals("CounterBackend.resolve")) {
            return noting(memory, call, call.argument(0));
        }
        int last = call.arguments().size() - 1;
        return last > 0
                        && call.argument(last) instanceof Commit commit
                        && commit.isTokenMade()
                        && memory.lost.contains(commit.token())
                ? call.passWith(last, Commits.another(commit))
                : call.pass();
    }

    private static CompletableFuture<?> noting(Memory memory, Sent call, Object key) {
        memory.kept.add(key);
        return call.pass();
    }
}
