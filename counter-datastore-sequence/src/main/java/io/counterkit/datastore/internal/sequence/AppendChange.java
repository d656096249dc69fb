package io.counterkit.datastore.internal.sequence;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.Snapshot;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Appends to one sequence in one run. Each request is judged after those before it. */
final class AppendChange implements ChainChange<List<Result<Entry>>> {
    private final DatastoreSchema schema;
    private final String sequence;
    private final List<AppendRequest> requests;
    private final CommitTokens covers;
    private final LongFunction<Entry> reader;

    /** @param reader reads an entry that exists */
    AppendChange(
            DatastoreSchema schema,
            String sequence,
            List<AppendRequest> requests,
            Commit commit,
            Instant now,
            Instant expires,
            LongFunction<Entry> reader) {
        this.schema = schema;
        this.sequence = sequence;
        this.requests = requests;
        this.covers = new CommitTokens(
                schema, requests.stream().map(AppendRequest::token).toList(), commit, now, expires);
        this.reader = reader;
    }

    @Override
    public int width() {
        return requests.size();
    }

    @Override
    public List<Key> tokens() {
        return covers.keys();
    }

    @Override
    public List<Key> others() {
        return requests.stream()
                .filter(request -> request.subject() != null)
                .map(request -> schema.subjectKey(sequence, request.subject()))
                .distinct()
                .toList();
    }

    @Override
    public Judgement<List<Result<Entry>>> judge(Snapshot snapshot) {
        Round round = new Round(snapshot);
        for (int i = 0; i < requests.size(); i++) {
            round.judge(i, requests.get(i));
        }
        return round.judgement();
    }

    /** One time that the requests are judged. */
    private final class Round {
        private final Snapshot snapshot;
        private final List<Result<Entry>> results = new ArrayList<>();
        private final Map<Integer, Long> existing = new HashMap<>();
        private final Map<String, Boolean> live = new HashMap<>();
        private final List<Entity> run = new ArrayList<>();
        private final List<Entity> puts = new ArrayList<>();
        private final List<Long> numbers = new ArrayList<>();
        private long number;
        private long liveCount;

        Round(Snapshot snapshot) {
            this.snapshot = snapshot;
            number = snapshot.end().number();
            liveCount = snapshot.end().value();
        }

        void judge(int index, AppendRequest request) {
            IdempotencyToken token = request.token();
            numbers.add(0L);
            TokenNote note = snapshot.note(covers.keyOf(token));
            if (note != null) {
                results.add(token == null ? shared(index, note) : again(index, request, token, note));
                return;
            }
            CounterException refusal = refusal(request);
            if (refusal != null) {
                results.add(Result.failed(refusal));
                return;
            }
            results.add(append(index, request));
        }

        /** The commit landed earlier, or was voided because its caller left and asked. */
        private Result<Entry> shared(int index, TokenNote note) {
            if (!(note instanceof TokenNote.Commit commit)) {
                return Result.retry();
            }
            if (commit.number(index) == 0) {
                return Result.failed(new ChangeRefusedException(
                        requests.get(index).change().noun() + " in '" + sequence + "' did not fit its subject"));
            }
            existing.put(index, commit.number(index));
            return Result.retry(); // in place of what is read below
        }

        private Result<Entry> again(int index, AppendRequest request, IdempotencyToken token, TokenNote note) {
            if (note instanceof TokenNote.Append first
                    && first.sequence().equals(sequence)
                    && first.change() == request.change()
                    && Objects.equals(first.subject(), request.subject())) {
                existing.put(index, first.number());
                return Result.retry(); // in place of what is read below
            }
            return Result.failed(new TokenRefusedException(
                    "append to '" + sequence + "': token " + token + " stands for " + note.resolution(null)));
        }

        private @Nullable CounterException refusal(AppendRequest request) {
            Seal seal = snapshot.end().seal();
            if (seal != null) {
                return new SealedException(sequence, seal);
            }
            String subject = request.subject();
            if (subject == null) {
                return null;
            }
            boolean isLive = live.computeIfAbsent(subject, this::isLive);
            if (isLive == (request.change() == Change.ADDED)) {
                return new ChangeRefusedException(request.change().noun() + " of '" + subject + "' in '" + sequence
                        + "', which is " + (isLive ? "live already" : "not live"));
            }
            live.put(subject, request.change() != Change.REMOVED);
            return null;
        }

        private boolean isLive(String subject) {
            Entity stored = snapshot.read().get(schema.subjectKey(sequence, subject));
            return stored != null && DatastoreSchema.isLive(stored);
        }

        private Result<Entry> append(int index, AppendRequest request) {
            number++;
            liveCount += request.change().delta();
            IdempotencyToken token = request.token();
            Entity entry = schema.entry(sequence, request, number, liveCount, covers.now(), covers.of(token));
            run.add(entry);
            if (token == null) {
                numbers.set(index, number);
            } else {
                puts.add(covers.note(
                        token, new TokenNote.Append(sequence, number, request.change(), request.subject())));
            }
            return Result.of(schema.toEntry(schema.link(ChainName.sequence(sequence), entry)));
        }

        Judgement<List<Result<Entry>>> judgement() {
            if (!run.isEmpty()) {
                if (numbers.stream().anyMatch(given -> given > 0)) {
                    puts.add(covers.note(null, new TokenNote.Commit(sequence, numbers)));
                }
                if (snapshot.end().number() == 0) {
                    puts.add(new Entity(schema.nameKey(ChainName.sequence(sequence))));
                }
                live.forEach((subject, isLive) -> puts.add(schema.subject(sequence, subject, isLive)));
            }
            return new Judgement<>(run, puts, List.of(), () -> {
                existing.forEach((index, first) -> results.set(index, Result.of(reader.apply(first))));
                return results;
            });
        }
    }
}
