package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.read.ShardSums;
import io.counterkit.firestore.internal.sequence.EntryDocument;
import io.counterkit.firestore.internal.sequence.EntryReader;
import io.counterkit.firestore.internal.sequence.FirestoreSequences;
import io.counterkit.firestore.internal.sequence.TailFinder;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The Firestore side of a migration: the source and the target of counters and sequences. */
public final class FirestoreMigration implements MigrationStore {
    /** The most tails searched at once: a channel carries a hundred calls. */
    private static final int MOST_SEARCHES = 50;

    private static final NameState ABSENT = new NameState(false, null, null);

    private final FirestoreSchema schema;
    private final TailFinder tails;
    private final EntryReader entries;

    public FirestoreMigration(FirestoreSchema schema, FirestoreSequences sequences) {
        this.schema = schema;
        this.tails = sequences.tails();
        this.entries = sequences.entries();
    }

    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        CompletableFuture<List<NameState>> states = kind == ChangeTarget.Kind.COUNTER
                ? documents(names, schema::counter, call)
                        .thenApply(counters -> counters.stream()
                                .map(FirestoreMigration::counterState)
                                .toList())
                : documents(names, schema::sequence, call)
                        .thenCompose(listed -> Futures.inGroups(
                                IntStream.range(0, names.size()).boxed().toList(),
                                MOST_SEARCHES,
                                i -> listed.get(i).exists() // from the first entry or seal on
                                        ? sequenceState(names.get(i), call)
                                        : CompletableFuture.completedFuture(ABSENT)));
        return FirestoreErrors.orNotRead("reading " + Reasons.names(names), states);
    }

    private static NameState counterState(DocumentSnapshot counter) {
        CounterSeal seal = CounterSeal.of(counter);
        return seal == null ? new NameState(counter.exists(), null, null) : seal.state();
    }

    private CompletableFuture<NameState> sequenceState(String sequence, Call call) {
        return tails.find(sequence, call).thenCompose(tail -> {
            boolean isPresent = tail.last() > 0;
            if (tail.seal() == null) {
                return CompletableFuture.completedFuture(new NameState(isPresent, null, null));
            }
            DocumentReference seal = schema.entry(sequence, tail.last() + 1);
            return schema.client()
                    .read(call, seal::get)
                    .thenApply(document -> new NameState(
                            isPresent,
                            tail.seal(),
                            EntryDocument.entryTime(Objects.requireNonNull(document.getCreateTime()))));
        });
    }

    @Override
    public CompletableFuture<List<Long>> lateAdds(List<String> counters, Call call) {
        return FirestoreErrors.orNotRead(
                "reading the adds to " + Reasons.names(counters) + " after the seal",
                Futures.inGroups(
                        counters,
                        MOST_SEARCHES,
                        name -> schema.client()
                                .read(call, () -> schema.shards(name).get())
                                .thenApply(shards -> ShardSums.addedAfterSeal(
                                        shards, schema.layout().countField()))));
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        return FirestoreErrors.orNotRead(
                "reading subject '" + subject + "' of '" + sequence + "'",
                entries.liveSubjects(sequence, List.of(subject), call)
                        .thenApply(live -> Optional.ofNullable(live.get(subject))));
    }

    @Override
    public @Nullable NotAppliedException refusalOf(ChangeTarget.Kind kind, String name) {
        return kind == ChangeTarget.Kind.COUNTER ? schema.refusalOfName(name) : null;
    }

    @Override
    public CompletableFuture<ImportedState> importBase(
            ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        return new ImportCommit(schema, kind, name, base, call).send();
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        return FirestoreErrors.orNotRead(
                "reading the import of " + Reasons.names(names),
                documents(names, name -> schema.hashed().importMarker(kind, name), call)
                        .thenCompose(first -> importMarkers(kind, names, first, call))
                        .thenApply(markers -> markers.stream()
                                .map(marker -> Optional.ofNullable(ImportMarker.toBase(marker)))
                                .toList()));
    }

    /** Replaces markers that belong to other names with the second markers. */
    private CompletableFuture<List<DocumentSnapshot>> importMarkers(
            ChangeTarget.Kind kind, List<String> names, List<DocumentSnapshot> first, Call call) {
        List<Integer> others = IntStream.range(0, names.size())
                .filter(i -> ImportMarker.isOfAnother(first.get(i), kind, names.get(i)))
                .boxed()
                .toList();
        List<String> asked = others.stream().map(names::get).toList();
        return documents(asked, name -> schema.hashed().secondImportMarker(kind, name), call)
                .thenApply(second -> {
                    List<DocumentSnapshot> markers = new ArrayList<>(first);
                    for (int i = 0; i < second.size(); i++) {
                        markers.set(others.get(i), second.get(i));
                    }
                    return markers;
                });
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        DocumentReference document = schema.subject(sequence, subject);
        return schema.client()
                .commit(call, List.of(sequence), () -> document.create(Map.of(FirestoreSchema.LIVE, isLive)))
                .thenAccept(answer -> {}); // a subject that exists was imported before, or changed by an append
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        if (entries.size() > EntryCopy.MOST_ENTRIES) {
            throw new IllegalArgumentException(
                    entries.size() + " entries: copy at most " + EntryCopy.MOST_ENTRIES + " at once");
        }
        long highest = entries.stream().mapToLong(Entry::number).max().orElse(0);
        EntryCopy copy = new EntryCopy(schema, sequence, entries, call);
        return tails.base(sequence, call)
                .thenCompose(last -> {
                    if (highest > last) {
                        throw new NotAppliedException("copying entry " + highest + " to '" + sequence
                                + "': only entries up to " + last + " were imported; nothing was copied");
                    }
                    return copy.send();
                })
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        copy.isSent()
                                ? Futures.unwrap(failure)
                                : FirestoreErrors.notApplied("copying entries of '" + sequence + "'", failure)));
    }

    /** Reads a document for each name, in order. */
    private CompletableFuture<List<DocumentSnapshot>> documents(
            List<String> names, Function<String, DocumentReference> reference, Call call) {
        return Futures.all(DocumentReads.groups(names).stream()
                        .map(group -> DocumentReads.byKey(schema, call, group, reference)
                                .thenApply(
                                        found -> group.stream().map(found::get).toList()))
                        .toList())
                .thenApply(groups -> groups.stream().flatMap(List::stream).toList());
    }
}
