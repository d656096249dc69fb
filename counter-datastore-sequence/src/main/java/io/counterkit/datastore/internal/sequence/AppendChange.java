package io.counterkit.datastore.internal.sequence;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.SubjectFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Appends to one sequence in one run. Each request is planned after those before it. */
final class AppendChange implements ChainChange<List<Result<Entry>>> {
    private final DatastoreContext context;
    private final ChainName sequence;
    private final List<AppendRequest> requests;
    private final CommitTokens tokens;
    private final LongFunction<Entry> reader;

    /** @param reader reads an entry that exists */
    AppendChange(
            DatastoreContext context,
            ChainName sequence,
            List<AppendRequest> requests,
            Commit commit,
            LongFunction<Entry> reader) {
        this.context = context;
        this.sequence = sequence;
        this.requests = requests;
        this.tokens = new CommitTokens(
                context, requests.stream().map(AppendRequest::token).toList(), commit);
        this.reader = reader;
    }

    @Override
    public int maxEntries() {
        return requests.size();
    }

    @Override
    public List<Key> tokens() {
        return tokens.keys();
    }

    @Override
    public List<Key> others() {
        return requests.stream()
                .filter(request -> request.subject() != null)
                .map(request -> context.keys().subject(sequence.name(), request.subject()))
                .distinct()
                .toList();
    }

    @Override
    public WritePlan<List<Result<Entry>>> plan(ChainTail tail, Map<Key, Entity> found) {
        Planning planning = new Planning(tail, found);
        for (int i = 0; i < requests.size(); i++) {
            planning.add(i, requests.get(i));
        }
        return planning.plan();
    }

    /** The plan of one attempt as it grows. */
    private final class Planning {
        private final ChainTail tail;
        private final Map<Key, Entity> found;
        private final List<Result<Entry>> results = new ArrayList<>();
        private final Map<Integer, Long> appendedBefore = new HashMap<>();
        private final Map<String, Boolean> live = new HashMap<>();
        private final List<Entity> run = new ArrayList<>();
        private final List<Entity> puts = new ArrayList<>();
        private final List<Long> numbers = new ArrayList<>();
        private ChainTail end;

        Planning(ChainTail tail, Map<Key, Entity> found) {
            this.tail = tail;
            this.found = found;
            end = tail;
        }

        void add(int index, AppendRequest request) {
            IdempotencyToken token = request.token();
            numbers.add(0L);
            TokenNote note = tokens.note(token, found);
            if (note != null) {
                results.add(token == null ? repeatedCommit(index, note) : repeatedRequest(index, request, token, note));
                return;
            }
            CounterException refusal = refusal(request);
            results.add(refusal == null ? append(index, request) : Result.failed(refusal));
        }

        /** The commit was applied earlier, or its token was resolved as not applied by a caller that left. */
        private Result<Entry> repeatedCommit(int index, TokenNote note) {
            if (!(note instanceof TokenNote.Commit commit)) {
                return Result.retry();
            }
            long number = commit.number(index);
            return number == 0
                    ? Result.failed(new ChangeRefusedException(
                            requests.get(index).change().noun() + " in '" + sequence.name()
                                    + "' did not fit its subject"))
                    : appendedBefore(index, number);
        }

        private Result<Entry> repeatedRequest(
                int index, AppendRequest request, IdempotencyToken token, TokenNote note) {
            if (note instanceof TokenNote.Append first
                    && first.sequence().equals(sequence.name())
                    && first.change() == request.change()
                    && Objects.equals(first.subject(), request.subject())) {
                return appendedBefore(index, first.number());
            }
            return Result.failed(new TokenRefusedException(
                    "append to '" + sequence.name() + "': token " + token + " stands for " + note.resolution(null)));
        }

        /** Returns a placeholder for an entry that is read once the transaction is over. */
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
                    subject,
                    absent -> SubjectFormat.isLive(found.get(context.keys().subject(sequence.name(), absent))));
            CounterException refusal = SubjectFormat.refusal(sequence.name(), subject, request.change(), isLive);
            if (refusal == null) {
                live.put(subject, request.change() != Change.REMOVED);
            }
            return refusal;
        }

        private Result<Entry> append(int index, AppendRequest request) {
            IdempotencyToken token = request.token();
            end = end.plus(request.change().delta());
            Entity entry = ChainEntry.ofAppend(
                    context.keys(), sequence.name(), request, end, tokens.now(), tokens.token(token));
            run.add(entry);
            if (token == null) {
                numbers.set(index, end.number());
            } else {
                puts.add(tokens.entity(
                        token,
                        new TokenNote.Append(sequence.name(), end.number(), request.change(), request.subject())));
            }
            return Result.of(ChainEntry.read(context.keys(), sequence, entry).toEntry());
        }

        WritePlan<List<Result<Entry>>> plan() {
            if (!run.isEmpty()) {
                if (numbers.stream().anyMatch(number -> number > 0)) {
                    puts.add(tokens.entity(null, new TokenNote.Commit(sequence.name(), numbers)));
                }
                if (tail.number() == 0) {
                    puts.add(new Entity(context.keys().name(sequence)));
                }
                live.forEach((subject, isLive) ->
                        puts.add(SubjectFormat.entity(context.keys(), sequence.name(), subject, isLive)));
            }
            return new WritePlan<>(run, puts, List.of(), () -> {
                appendedBefore.forEach((index, number) -> results.set(index, Result.of(reader.apply(number))));
                return results;
            });
        }
    }
}
