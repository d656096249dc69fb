package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.firestore.internal.client.SharedListeners;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The sequences of a backend: one document for each entry, with its number as the unique key. */
public final class FirestoreSequences implements SequenceStore {
    /** In documents plus kibibytes of fields: at most 2 MiB, far below the 10 MiB of a request. */
    private static final int MAX_WEIGHT = 1000;

    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final TailFinder tails;
    private final EntryReader entries;
    private final SharedListeners<Runnable, SequenceWatch> followed;

    public FirestoreSequences(FirestoreSchema schema, TokenStore tokens) {
        this.schema = schema;
        this.tokens = tokens;
        this.tails = new TailFinder(schema);
        this.entries = new EntryReader(schema);
        this.followed = new SharedListeners<>(schema, sequence -> new SequenceWatch(sequence, schema));
    }

    public TokenStore tokens() {
        return tokens;
    }

    public TailFinder tails() {
        return tails;
    }

    public EntryReader entries() {
        return entries;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(MAX_WEIGHT);
    }

    /**
     * Returns the number of documents that an append writes (entry, token, subject) plus the kibibytes of its fields.
     */
    @Override
    public int weight(AppendRequest request) {
        int documents = 1 + (request.token() == null ? 0 : 1) + (request.subject() == null ? 0 : 1);
        return documents + (int) (Fields.bytesOf(request.fields()) / 1024);
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return schema.client()
                .startChange(
                        "append to '" + sequence + "'",
                        commit,
                        () -> new AppendCommit(schema, tokens, tails, entries, sequence, requests, commit).send());
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return tails.find(sequence, call).thenApply(tail -> {
            SequenceWatch watch = followed.get(sequence);
            if (watch != null) {
                watch.seen(tail);
            }
            return tail;
        });
    }

    @Override
    public Listening listen(String sequence, Runnable changed) {
        SequenceWatch watch = followed.join(sequence, changed);
        AtomicBoolean isClosed = new AtomicBoolean();
        return new Listening() {
            @Override
            public boolean isLive() {
                return watch.isLive();
            }

            @Override
            public void close() {
                if (!isClosed.getAndSet(true)) {
                    followed.leave(sequence, changed);
                }
            }
        };
    }

    /** Ends the listeners of followers. */
    public void close() {
        followed.close();
    }

    /** Reads only numbers that were issued: the store bills documents that it does not find. */
    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        Tail hint = tails.hint(sequence);
        CompletableFuture<Tail> tail = hint != null && range.to() <= hint.last()
                ? CompletableFuture.completedFuture(hint)
                : tails.find(sequence, call);
        return tail.thenCompose(end -> entries.read(
                        sequence,
                        LongStream.rangeClosed(range.from(), Math.min(range.to(), end.last()))
                                .boxed()
                                .toList(),
                        () -> tails.base(sequence, call),
                        call))
                .thenApply(read -> List.copyOf(read.values()));
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        String what = "erasing entry " + number + " of '" + sequence + "'";
        DocumentReference entry = schema.entry(sequence, number);
        return schema.client()
                .startChange(
                        what,
                        commit,
                        () -> FirestoreErrors.orNotApplied(what, schema.client().read(commit, entry::get))
                                .thenCompose(document -> EntryDocument.isNoEntry(document)
                                        ? CompletableFuture.completedFuture(false)
                                        : blank(sequence, entry, commit)));
    }

    private CompletableFuture<Boolean> blank(String sequence, DocumentReference entry, Commit commit) {
        Map<String, Object> blank = Map.of(EntryDocument.FIELDS, Map.of(), EntryDocument.ERASED, true);
        return schema.client()
                .commit(
                        commit,
                        List.of(sequence),
                        () -> batch(sequence, commit).update(entry, blank).commit())
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(true)
                        : readToken(sequence, commit)
                                .thenCompose(found -> found.needsSecond()
                                        ? blank(sequence, entry, commit)
                                        : CompletableFuture.completedFuture(found.get(commit.token()) != null)));
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        String what = "sealing '" + sequence + "'";
        return schema.client()
                .startChange(
                        what,
                        commit,
                        () -> FirestoreErrors.orNotApplied(what, tails.find(sequence, commit))
                                .thenCompose(tail -> sealAfter(tail, sequence, forward, commit, 1)));
    }

    private CompletableFuture<Seal> sealAfter(Tail tail, String sequence, String forward, Commit commit, int attempts) {
        if (tail.seal() != null) {
            return tail.seal().forward().equals(forward)
                    ? CompletableFuture.completedFuture(tail.seal())
                    : CompletableFuture.failedFuture(new SealedException(sequence, tail.seal()));
        }
        return schema.client()
                .commit(
                        commit,
                        List.of(sequence),
                        () -> {
                            WriteBatch batch = batch(sequence, commit)
                                    .create(
                                            schema.entry(sequence, tail.last() + 1),
                                            EntryDocument.ofSeal(forward, tail.liveCount()));
                            return (tail.last() == 0
                                            ? batch.set(schema.sequence(sequence), Map.of(), SetOptions.merge())
                                            : batch)
                                    .commit();
                        },
                        attempts)
                .thenCompose(answer -> {
                    if (answer.isApplied()) {
                        Seal seal = new Seal(forward, tail.last(), tail.liveCount());
                        tails.remember(sequence, new Tail(tail.last(), tail.liveCount(), seal));
                        return CompletableFuture.completedFuture(seal);
                    }
                    return readToken(sequence, commit)
                            .thenCompose(found -> tails.find(sequence, commit))
                            .thenCompose(now -> schema.timers()
                                    .afterPause(
                                            commit,
                                            attempts,
                                            () -> sealAfter(now, sequence, forward, commit, attempts + 1)));
                });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameQuery(schema, schema.sequences(), prefix, limit, call).page(cursor);
    }

    /** Starts a batch with the token document of a commit. */
    private WriteBatch batch(String sequence, Commit commit) {
        WriteBatch batch = schema.firestore().batch();
        tokens.create(batch, commit.token(), TokenDocument.of(TokenDocument.Kind.DONE, sequence));
        return batch;
    }

    /** Reads the token document of a commit that may exist already; fails if it is void. */
    private CompletableFuture<TokenStore.Found> readToken(String sequence, Commit commit) {
        return tokens.read(List.of(commit.token()), commit).thenApply(found -> {
            found.checkNotVoid(commit.token(), "changing '" + sequence + "'");
            return found;
        });
    }
}
