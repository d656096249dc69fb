package io.counterkit.tck.internal.history;

import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.Futures;
import io.counterkit.tck.internal.history.History.Pending;
import io.counterkit.tck.internal.model.ListedNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operates on a sequence: makes one append or several concurrent ones, reads, lists, erases, seals, resolves tokens.
 */
public final class SequenceWorkload implements Workload {
    private static final int TOKENS = 4;
    private static final int SUBJECTS = 2;
    private static final int MOST_AT_ONCE = 4;
    private static final int ONE_ELSEWHERE_IN = 4;
    private static final int ONE_MISTAKEN_IN = 8;
    private static final long LATE_START = 6;

    /** A number above the last one of every history, so that a read returns every entry. */
    private static final long BEYOND_LAST = 999;

    private final String name;
    private final boolean isSealed;
    private final boolean isListedAtOnce;
    private final SequenceCalls calls;
    private final AtomicInteger values = new AtomicInteger();

    /** Appends that several processes send under the same tokens. */
    private final List<Append> shared;

    private final UnknownOutcomes<Append> unknown;

    private record Append(
            Change change,
            @Nullable String subject,
            @Nullable IdempotencyToken token) {}

    /**
     * Creates the workload of the sequence of this name.
     *
     * @param isListedAtOnce whether the store's lists show each change immediately
     */
    public SequenceWorkload(String name, Random random, boolean isSealed, boolean isListedAtOnce) {
        this.name = name;
        this.isSealed = isSealed;
        this.isListedAtOnce = isListedAtOnce;
        this.calls = new SequenceCalls(name, System::nanoTime);
        this.unknown = new UnknownOutcomes<>(calls, Append::token);
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
        switch (random.nextInt(isSealed ? 24 : 22)) {
            case 0, 1, 2, 3, 4 -> append(process, sequence, append(random, null));
            case 5, 6, 7, 8 -> append(process, sequence, repeated(random));
            case 9, 10, 11 ->
                unknown.settle(
                        process,
                        counters,
                        random,
                        () -> append(random, null),
                        append -> append(process, sequence, append));
            case 12 ->
                unknown.resolve(
                        process, counters, shared.get(random.nextInt(TOKENS)).token());
            case 13, 14 -> erase(process, sequence, random.nextLong(1, 9));
            case 15, 16 -> calls.tail(process).end(sequence::tail);
            case 17 -> {
                long from = random.nextLong(1, LATE_START);
                long to = from + random.nextLong(LATE_START);
                calls.read(process, from, to).end(() -> sequence.read(from, to));
            }
            case 20 -> appendAtOnce(process, sequence, random);
            case 21 -> list(process, counters);
            case 22, 23 ->
                seal(process, sequence, random.nextInt(ONE_ELSEWHERE_IN) == 0 ? "somewhere else" : "elsewhere");
            default -> calls.read(process, 1, BEYOND_LAST).end(() -> sequence.read(1, BEYOND_LAST));
        }
    }

    /** Returns an append under a shared token, and rarely another append than the one that the token stands for. */
    private Append repeated(Random random) {
        Append append = shared.get(random.nextInt(TOKENS));
        return random.nextInt(ONE_MISTAKEN_IN) == 0 ? append(random, append.token()) : append;
    }

    private void append(int process, Sequence sequence, Append append) {
        String value = "v" + values.incrementAndGet();
        noteAppend(
                append,
                calls.append(process, append.change(), append.subject(), value, append.token())
                        .end(() -> send(sequence, append, Map.of(SequenceState.FIELD, value))));
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

    /** Appends several times without waiting, so that appends share a commit if the backend receives batches. */
    private void appendAtOnce(int process, Sequence sequence, Random random) {
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (int i = random.nextInt(2, MOST_AT_ONCE + 1); i > 0; i--) {
            Append append = random.nextBoolean() ? append(random, null) : repeated(random);
            String value = "v" + values.incrementAndGet();
            Pending<Entry> pending = calls.append(process, append.change(), append.subject(), value, append.token());
            CompletableFuture<Entry> reply = begin(sequence.async(), append, Map.of(SequenceState.FIELD, value));
            sent.add(reply.handle((entry, failure) -> {
                noteAppend(append, pending.end(() -> Futures.join(reply)));
                return true;
            }));
        }
        sent.forEach(Futures::join);
    }

    private static CompletableFuture<Entry> begin(AsyncSequence sequence, Append append, Map<String, ?> fields) {
        IdempotencyToken token = append.token();
        if (append.subject() == null) {
            return token == null ? sequence.append(fields) : sequence.append(fields, token);
        }
        return token == null
                ? sequence.append(append.change(), append.subject(), fields)
                : sequence.append(append.change(), append.subject(), fields, token);
    }

    private void noteAppend(Append append, @Nullable IdempotencyToken token) {
        unknown.note(token, covering -> new Append(append.change(), append.subject(), covering));
    }

    private void erase(int process, Sequence sequence, long number) {
        unknown.note(calls.erase(process, number).end(() -> {
            sequence.erase(number);
            return true;
        }));
    }

    private void seal(int process, Sequence sequence, String forward) {
        unknown.note(calls.seal(process, forward).end(() -> sequence.seal(forward)));
    }

    /** Looks for the sequence in the store's list, or reads its tail if that list may lag. */
    private void list(int process, Counters counters) {
        if (isListedAtOnce) {
            calls.isListed(process)
                    .end(() -> ListedNames.ofSequences(counters, name).contains(name));
        } else {
            calls.tail(process).end(counters.sequence(name)::tail);
        }
    }

    @Override
    public void finish(int process, Counters counters) {
        read(process, counters.sequence(name));
        if (isListedAtOnce) {
            calls.isListed(process)
                    .end(() -> Patience.answerOf(
                            () -> ListedNames.ofSequences(counters, name).contains(name)));
        }
        unknown.settleAll(process, counters, shared.get(process % TOKENS));
        read(process, counters.sequence(name));
    }

    private void read(int process, Sequence sequence) {
        calls.tail(process).end(() -> Patience.answerOf(sequence::tail));
        calls.read(process, 1, BEYOND_LAST).end(() -> Patience.answerOf(() -> sequence.read(1, BEYOND_LAST)));
    }

    @Override
    public Checked check() {
        Checked checked = Violation.check("sequence '" + name + "'", calls.history());
        String otherTime = calls.otherTime();
        return checked.violation() == null && otherTime != null
                ? new Checked("sequence '" + name + "'\n  " + otherTime, true)
                : checked;
    }
}
