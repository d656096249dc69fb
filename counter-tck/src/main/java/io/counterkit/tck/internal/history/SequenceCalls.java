package io.counterkit.tck.internal.history;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Tail;
import io.counterkit.tck.internal.history.History.Meaning;
import io.counterkit.tck.internal.history.History.Pending;
import io.counterkit.tck.internal.history.Operation.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Records the calls on one sequence, and what their answers mean. Thread-safe. */
final class SequenceCalls extends ObjectCalls<SequenceState> {
    /** The time that each entry had when it was returned first. */
    private final Map<Long, Instant> times = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable String> otherTime = new AtomicReference<>();

    SequenceCalls(String name, LongSupplier nanoTime) {
        super(name, SequenceState.EMPTY, nanoTime);
    }

    /** Begins an append of an entry with this value as its only field. */
    Pending<Entry> append(
            int process, Change change, @Nullable String subject, String value, @Nullable IdempotencyToken token) {
        Meaning<SequenceState, Entry> meaning = new Meaning<>(
                "append " + value + ": " + change.noun() + (subject == null ? "" : " of " + subject),
                Kind.OTHER,
                token,
                state -> state.appended(change, subject, value),
                state -> new Resolution.Appended(name, state.last()),
                (state, entry) -> entry.number() == state.last() && state.holds(entry),
                (state, entry) -> isSame(state, change, subject, token, entry),
                (state, refusal) -> isSeal(state, refusal)
                        || (refusal instanceof ChangeRefusedException
                                && !state.isSealed()
                                && !state.fits(change, subject)));
        Pending<Entry> pending = history.change(process, meaning);
        Pending<List<Entry>> shown = history.read(
                process, "the entry of " + value, List.of(SequenceState::hasErased, SequenceState::hasKept));
        return answering -> {
            AtomicReference<@Nullable Entry> answer = new AtomicReference<>();
            IdempotencyToken unknown = pending.end(() -> {
                Entry entry = answering.get();
                answer.set(entry);
                return entry;
            });
            Entry entry = answer.get();
            if (entry != null) {
                noteTime(entry);
                if (token != null || entry.erased()) { // a new entry is not erased yet
                    shown.end(() -> List.of(entry));
                }
            }
            return unknown;
        };
    }

    /** Returns whether a token stands for an append of this kind, and for this entry if there is one. */
    private static boolean isSame(
            SequenceState state,
            Change change,
            @Nullable String subject,
            @Nullable IdempotencyToken token,
            @Nullable Entry entry) {
        return state.tokens().of(token) instanceof Resolution.Appended appended
                && state.hasItem(appended.number(), change, subject)
                && (entry == null || (entry.number() == appended.number() && state.holds(entry)));
    }

    Pending<Boolean> erase(int process, long number) {
        return history.change(
                process,
                new Meaning<SequenceState, Boolean>(
                        "erase #" + number,
                        Kind.OTHER,
                        null,
                        state -> state.erased(number),
                        state -> new Resolution.Done(name),
                        (state, done) -> true,
                        (state, done) -> true,
                        (state, refusal) -> refusal instanceof IllegalArgumentException && !state.isAssigned(number)));
    }

    Pending<Tail> tail(int process) {
        BiPredicate<SequenceState, Tail> isRight = (state, tail) -> tail.last() == state.last()
                && tail.liveCount() == state.liveCount()
                && Objects.equals(tail.seal(), state.seal());
        return history.read(process, "tail", List.of(isRight));
    }

    /** Begins a read of a range. It is not read at one moment, so appends and erasures may show in part. */
    Pending<List<Entry>> read(int process, long from, long to) {
        Pending<List<Entry>> pending = history.read(
                process,
                "entries " + from + " to " + to,
                List.of(
                        (state, entries) -> state.holds(from, to, entries),
                        SequenceState::hasErased,
                        SequenceState::hasKept));
        return answering -> pending.end(() -> {
            List<Entry> entries = answering.get();
            entries.forEach(this::noteTime);
            return entries;
        });
    }

    private void noteTime(Entry entry) {
        Instant first = times.putIfAbsent(entry.number(), entry.appendedAt());
        if (first != null && !first.equals(entry.appendedAt())) {
            otherTime.set("entry " + entry.number() + " has the times " + first + " and " + entry.appendedAt());
        }
    }

    /** Returns an entry with two times in words, or null if the time of each entry is always the same. */
    @Nullable String otherTime() {
        return otherTime.get();
    }
}
