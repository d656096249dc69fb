package io.counterkit.tck.internal.history;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.tck.internal.history.History.Meaning;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Appends to, reads, erases in and seals a sequence, and resolves tokens. */
public final class SequenceWorkload implements Workload {
    private static final int TOKENS = 4;
    private static final int SUBJECTS = 2;

    /** A number above the last one of every history, so that a read returns every entry. */
    private static final long BEYOND_LAST = 999;

    private final String name;
    private final boolean isSealed;
    private final History<SequenceState> history = new History<>(SequenceState.EMPTY);
    private final AtomicInteger values = new AtomicInteger();

    /** Appends that several processes send under the same tokens. */
    private final List<Append> shared;

    /** Appends whose outcome is unknown. */
    private final Queue<Append> unknownAppends = new ConcurrentLinkedQueue<>();

    /** Other changes whose outcome is unknown. */
    private final Queue<IdempotencyToken> unknownChanges = new ConcurrentLinkedQueue<>();

    private record Append(
            Change change,
            @Nullable String subject,
            @Nullable IdempotencyToken token) {}

    /** Creates the workload of the sequence of this name. */
    public SequenceWorkload(String name, Random random, boolean isSealed) {
        this.name = name;
        this.isSealed = isSealed;
        this.shared = Stream.generate(() -> append(random, IdempotencyToken.random()))
                .limit(TOKENS)
                .toList();
    }

    private static Append append(Random random, @Nullable IdempotencyToken token) {
        if (random.nextBoolean()) {
            return new Append(Change.ADDED, null, token);
        }
        Change change = List.of(Change.values()).get(random.nextInt(3));
        return new Append(change, "subject" + random.nextInt(SUBJECTS), token);
    }

    @Override
    public void step(int process, Counters counters, Random random) {
        Sequence sequence = counters.sequence(name);
        switch (random.nextInt(isSealed ? 21 : 20)) {
            case 0, 1, 2, 3, 4 -> append(process, sequence, append(random, null));
            case 5, 6, 7, 8 -> append(process, sequence, shared.get(random.nextInt(TOKENS)));
            case 9, 10, 11 -> settle(process, counters, random);
            case 12 ->
                resolve(process, counters, shared.get(random.nextInt(TOKENS)).token());
            case 13, 14 -> erase(process, sequence, random.nextLong(1, 9));
            case 15, 16 -> readTail(process, sequence);
            case 20 -> seal(process, sequence);
            default -> readEntries(process, sequence);
        }
    }

    private void append(int process, Sequence sequence, Append append) {
        String value = "v" + values.incrementAndGet();
        String subject = append.subject();
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<SequenceState, Entry>(
                        "append " + value + ": " + append.change().noun() + (subject == null ? "" : " of " + subject),
                        append.token(),
                        (state, entry) -> {
                            SequenceState after = effect(state, append, value, append.token());
                            return after.last() == entry.number() && after.last() > state.last() && after.holds(entry)
                                    ? after
                                    : null;
                        },
                        (state, token) -> effect(state, append, value, token),
                        (state, entry) -> append.token() != null
                                && state.tokens().number(append.token()) == entry.number()
                                && state.holds(entry),
                        state -> !state.fits(append.change(), subject)),
                () -> send(sequence, append, Map.of(SequenceState.FIELD, value)));
        if (unknown != null) {
            unknownAppends.add(new Append(append.change(), subject, unknown));
        }
    }

    private static SequenceState effect(
            SequenceState before, Append append, String value, @Nullable IdempotencyToken token) {
        return before.isSealed() || !before.fits(append.change(), append.subject())
                ? before
                : before.appended(append.change(), append.subject(), value, token);
    }

    private static Entry send(Sequence sequence, Append append, Map<String, ?> fields) {
        IdempotencyToken token = append.token();
        if (append.subject() == null) {
            return token == null ? sequence.append(fields) : sequence.append(fields, token);
        }
        return token == null
                ? sequence.append(append.change(), append.subject(), fields)
                : sequence.append(append.change(), append.subject(), fields, token);
    }

    private void erase(int process, Sequence sequence, long number) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<SequenceState, Boolean>(
                        "erase #" + number,
                        null,
                        (state, done) -> number <= state.last() ? state.erased(number, null) : null,
                        (state, token) -> number <= state.last() ? state.erased(number, token) : state,
                        (state, done) -> true,
                        state -> number > state.last()),
                () -> {
                    sequence.erase(number);
                    return true;
                });
        if (unknown != null) {
            unknownChanges.add(unknown);
        }
    }

    private void seal(int process, Sequence sequence) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<SequenceState, Seal>(
                        "seal",
                        null,
                        (state, seal) -> seal.last() == state.last() && seal.liveCount() == state.liveCount()
                                ? state.sealed(null)
                                : null,
                        SequenceState::sealed,
                        (state, seal) -> true,
                        state -> false),
                () -> sequence.seal("elsewhere"));
        if (unknown != null) {
            unknownChanges.add(unknown);
        }
    }

    /** Repeats an append whose outcome is unknown, or resolves it or another change. */
    private void settle(int process, Counters counters, Random random) {
        IdempotencyToken change = unknownChanges.poll();
        if (change != null) {
            resolve(process, counters, change);
            return;
        }
        Append append = unknownAppends.poll();
        if (append == null) {
            append(process, counters.sequence(name), append(random, null));
        } else if (random.nextBoolean()) {
            append(process, counters.sequence(name), append);
        } else {
            resolve(process, counters, append.token());
        }
    }

    private void resolve(int process, Counters counters, @Nullable IdempotencyToken token) {
        if (token != null
                && !history.resolve(
                        process,
                        token,
                        () -> counters.resolve(token),
                        (state, resolution) -> isRight(state, token, resolution))) {
            unknownChanges.add(token);
        }
    }

    private boolean isRight(SequenceState state, IdempotencyToken token, Resolution resolution) {
        return resolution instanceof Resolution.Appended appended
                ? appended.sequence().equals(name)
                        && appended.number() == state.tokens().number(token)
                : resolution instanceof Resolution.Done done && done.name().equals(name);
    }

    private void readTail(int process, Sequence sequence) {
        history.read(
                process,
                "tail",
                sequence::tail,
                (state, tail) -> tail.last() == state.last()
                        && tail.liveCount() == state.liveCount()
                        && (tail.seal() != null) == state.isSealed());
    }

    /** Reads all entries. A range is not read at one moment, so appends and erasures may show in part. */
    private void readEntries(int process, Sequence sequence) {
        history.read(
                process,
                "entries",
                () -> sequence.read(1, BEYOND_LAST),
                List.of(SequenceState::holdsAll, SequenceState::hasErased, SequenceState::hasKept));
    }

    @Override
    public void finish(int process, Counters counters) {
        readTail(process, counters.sequence(name));
        readEntries(process, counters.sequence(name));
    }

    @Override
    public @Nullable String violation() {
        Violation<SequenceState> violation = Violation.find(history.initial(), history.operations());
        return violation == null ? null : "sequence '" + name + "'" + violation;
    }
}
