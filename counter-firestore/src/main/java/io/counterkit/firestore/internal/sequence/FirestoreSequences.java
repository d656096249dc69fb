package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenRetention;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The sequences: a document for each entry, its number the unique key. */
public final class FirestoreSequences implements SequenceStore {
    /** In documents, and in kibibytes of fields: some 2 MiB at most, far below the 10 MiB of a request. */
    private static final int MAX_WEIGHT = 1000;

    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final TailFinder tails;
    private final Entries entries;

    public FirestoreSequences(FirestoreSchema schema, TokenStore tokens) {
        this.schema = schema;
        this.tokens = tokens;
        this.tails = new TailFinder(schema);
        this.entries = new Entries(schema);
    }

    FirestoreSchema schema() {
        return schema;
    }

    public TokenStore tokens() {
        return tokens;
    }

    public TailFinder tails() {
        return tails;
    }

    Entries entries() {
        return entries;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(MAX_WEIGHT);
    }

    /** The entry, its marker, its subject, and the kibibytes of its fields. */
    @Override
    public int weight(AppendRequest request) {
        int documents = 1 + (request.token() == null ? 0 : 1) + (request.subject() == null ? 0 : 1);
        return documents + (int) (Fields.bytesOf(request.fields()) / 1024);
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return TokenRetention.bounded(
                "append to '" + sequence + "'",
                schema.options().retention(),
                commit,
                () -> new AppendRun(this, sequence, requests, commit).send());
    }

    /** Which of these subjects are live now. */
    public CompletableFuture<Map<String, Boolean>> liveSubjects(String sequence, List<String> subjects, Call call) {
        if (subjects.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        DocumentReference[] references = subjects.stream()
                .map(subject -> schema.subject(sequence, subject))
                .toArray(DocumentReference[]::new);
        return schema.sender()
                .ask(call, () -> schema.firestore().getAll(references))
                .thenApply(documents -> {
                    Map<String, Boolean> live = new HashMap<>();
                    for (int i = 0; i < references.length; i++) {
                        live.put(
                                subjects.get(i),
                                Boolean.TRUE.equals(documents.get(i).getBoolean(FirestoreSchema.LIVE)));
                    }
                    return live;
                });
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return tails.find(sequence, call);
    }

    /** Numbers that are not given out yet are not asked for: the store bills what it does not find. */
    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        Tail hint = tails.hint(sequence);
        CompletableFuture<Tail> tail = hint != null && range.to() <= hint.last()
                ? CompletableFuture.completedFuture(hint)
                : tails.find(sequence, call);
        return tail.thenCompose(end -> entries.readCopied(
                sequence,
                LongStream.rangeClosed(range.from(), Math.min(range.to(), end.last()))
                        .boxed()
                        .toList(),
                () -> tails.base(sequence, call),
                call));
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        return TokenRetention.bounded(
                "erasing entry " + number + " of '" + sequence + "'",
                schema.options().retention(),
                commit,
                () -> lookAndBlank(sequence, number, commit));
    }

    private CompletableFuture<Boolean> lookAndBlank(String sequence, long number, Commit commit) {
        DocumentReference entry = schema.entry(sequence, number);
        return schema.sender()
                .ask(commit, entry::get)
                .exceptionally(failure -> {
                    throw FirestoreErrors.notApplied("erasing entry " + number + " of '" + sequence + "'", failure);
                })
                .thenCompose(document -> {
                    if (EntryDocument.isNoEntry(document)) {
                        return CompletableFuture.completedFuture(false);
                    }
                    return blank(sequence, entry, commit);
                });
    }

    private CompletableFuture<Boolean> blank(String sequence, DocumentReference entry, Commit commit) {
        Map<String, Object> blank = Map.of(EntryDocument.FIELDS, Map.of(), EntryDocument.ERASED, true);
        return schema.sender()
                .send(
                        commit,
                        List.of(sequence),
                        () -> marked(sequence, commit).update(entry, blank).commit())
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(true)
                        : found(sequence, commit)
                                .thenCompose(found -> found.isMoved()
                                        ? blank(sequence, entry, commit)
                                        : CompletableFuture.completedFuture(found.get(commit.token()) != null)));
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return TokenRetention.bounded(
                "sealing '" + sequence + "'",
                schema.options().retention(),
                commit,
                () -> tails.find(sequence, commit)
                        .exceptionally(failure -> {
                            throw FirestoreErrors.notApplied("sealing '" + sequence + "'", failure);
                        })
                        .thenCompose(tail -> sealAfter(tail, sequence, forward, commit, 0)));
    }

    private CompletableFuture<Seal> sealAfter(Tail tail, String sequence, String forward, Commit commit, int rivals) {
        if (tail.seal() != null) {
            return tail.seal().forward().equals(forward)
                    ? CompletableFuture.completedFuture(tail.seal())
                    : CompletableFuture.failedFuture(new SealedException(sequence, tail.seal()));
        }
        return schema.sender()
                .send(commit, List.of(sequence), () -> {
                    WriteBatch batch = marked(sequence, commit)
                            .create(
                                    schema.entry(sequence, tail.last() + 1),
                                    EntryDocument.ofSeal(forward, tail.liveCount()));
                    return (tail.last() == 0
                                    ? batch.set(schema.sequence(sequence), Map.of(), SetOptions.merge())
                                    : batch)
                            .commit();
                })
                .thenCompose(answer -> {
                    if (answer.isApplied()) {
                        Seal seal = new Seal(forward, tail.last(), tail.liveCount());
                        tails.remember(sequence, new Tail(tail.last(), tail.liveCount(), seal));
                        return CompletableFuture.completedFuture(seal);
                    }
                    return found(sequence, commit)
                            .thenCompose(found -> tails.find(sequence, commit))
                            .thenCompose(now -> schema.requests()
                                    .afterPause(
                                            commit,
                                            rivals,
                                            () -> sealAfter(now, sequence, forward, commit, rivals + 1)));
                });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new NameQuery(schema, schema.sequences(), prefix, limit, call).page(cursor);
    }

    private WriteBatch marked(String sequence, Commit commit) {
        WriteBatch batch = schema.firestore().batch();
        tokens.create(batch, commit.token(), TokenDocument.of(TokenDocument.Kind.DONE, sequence));
        return batch;
    }

    /** The marker of a commit that the store says is there already; fails if it is void. */
    private CompletableFuture<TokenStore.Found> found(String sequence, Commit commit) {
        return tokens.read(List.of(commit.token()), commit).thenApply(found -> {
            TokenDocument marker = found.get(commit.token());
            if (marker != null && marker.isVoid()) {
                throw new NotAppliedException(
                        "changing '" + sequence + "': its token was resolved as not applied while it was on its way");
            }
            return found;
        });
    }
}
