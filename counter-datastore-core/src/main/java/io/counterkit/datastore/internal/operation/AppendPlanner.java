package io.counterkit.datastore.internal.operation;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.schema.SubjectFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Plans one attempt to append a run to a sequence. Each request is planned after those before it. */
final class AppendPlanner {
    private final DatastoreKeys keys;
    private final ChainName sequence;
    private final CommitTokens tokens;
    private final ChainTail tail;
    private final Map<StoreKey, StoreEntity> found;
    private final List<Result<Entry>> results = new ArrayList<>();
    private final Map<Integer, Long> appendedBefore = new HashMap<>();
    private final Map<String, Boolean> live = new HashMap<>();
    private final List<StoreEntity> run = new ArrayList<>();
    private final List<StoreEntity> puts = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>();
    private ChainTail end;

    AppendPlanner(
            DatastoreKeys keys,
            ChainName sequence,
            CommitTokens tokens,
            ChainTail tail,
            Map<StoreKey, StoreEntity> found) {
        this.keys = keys;
        this.sequence = sequence;
        this.tokens = tokens;
        this.tail = tail;
        this.found = found;
        end = tail;
    }

    /** @param reader reads an entry that exists */
    WritePlan<List<Result<Entry>>> plan(List<AppendRequest> requests, LongFunction<Entry> reader) {
        requests.forEach(this::add);
        if (!run.isEmpty()) {
            if (numbers.stream().anyMatch(number -> number > 0)) {
                puts.add(tokens.entity(null, new TokenNote.Commit(sequence.name(), numbers)));
            }
            if (tail.number() == 0) {
                puts.add(new StoreEntity(keys.name(sequence)));
            }
            live.forEach((subject, isLive) -> puts.add(SubjectFormat.entity(keys, sequence.name(), subject, isLive)));
        }
        return new WritePlan<>(run, puts, List.of(), () -> {
            appendedBefore.forEach((index, number) -> results.set(index, Result.of(reader.apply(number))));
            return results;
        });
    }

    private void add(AppendRequest request) {
        numbers.add(0L);
        TokenNote stored = tokens.note(request.token(), found);
        if (stored != null) {
            results.add(repeated(request, stored));
            return;
        }
        CounterException refusal = refusal(request);
        results.add(refusal == null ? append(request) : Result.failed(refusal));
    }

    /** Returns the result of a request whose token is stored, for the same or another change, or as voided. */
    private Result<Entry> repeated(AppendRequest request, TokenNote stored) {
        IdempotencyToken token = request.token();
        int index = results.size();
        if (token == null) {
            if (!(stored instanceof TokenNote.Commit commit)) {
                return Result.retry();
            }
            return commit.number(index) == 0
                    ? Result.failed(request.earlierRefusal(sequence.name()))
                    : appendedBefore(index, commit.number(index));
        }
        if (stored instanceof TokenNote.Append first
                && first.equals(
                        new TokenNote.Append(sequence.name(), first.number(), request.change(), request.subject()))) {
            return appendedBefore(index, first.number());
        }
        return Result.failed(
                new TokenRefusedException("append to '" + sequence.name() + "'", token, stored.resolution(null)));
    }

    /** Returns a placeholder for the result of an entry, which is read after the transaction. */
    private Result<Entry> appendedBefore(int index, long number) {
        appendedBefore.put(index, number);
        return Result.retry();
    }

    private @Nullable CounterException refusal(AppendRequest request) {
        if (tail.seal() != null) {
            return new SealedException(sequence.name(), tail.seal());
        }
        String subject = request.subject();
        if (subject == null) {
            return null;
        }
        boolean isLive = live.computeIfAbsent(
                subject, absent -> SubjectFormat.isLive(found.get(keys.subject(sequence.name(), absent))));
        CounterException refusal = request.refusal(sequence.name(), isLive);
        if (refusal == null) {
            live.put(subject, request.leavesSubjectLive());
        }
        return refusal;
    }

    private Result<Entry> append(AppendRequest request) {
        IdempotencyToken token = request.token();
        end = end.plus(request.change().delta());
        StoreEntity entry = ChainEntry.ofAppend(keys, sequence.name(), request, end, tokens.now(), tokens.token(token));
        run.add(entry);
        if (token == null) {
            numbers.set(results.size(), end.number());
        } else {
            puts.add(tokens.entity(
                    token, new TokenNote.Append(sequence.name(), end.number(), request.change(), request.subject())));
        }
        return Result.of(ChainEntry.read(keys, sequence, entry).toEntry());
    }
}
