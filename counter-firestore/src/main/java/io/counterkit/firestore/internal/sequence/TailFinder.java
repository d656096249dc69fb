package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of a sequence without a query and without an index. Numbers have no gaps and entries stay, so "number
 * n is there" holds up to the last one and for ever: probing 1, 2, 4, 8, … in one round trip and then between the two
 * that enclose the end finds it, five round trips for a million entries, one or two from where it was last seen.
 *
 * <p>Of a sequence that was imported, the numbers up to its base may or may not be there. A search that knows nothing
 * yet always looks at number 1, where a base is told, and goes on above it.
 */
public final class TailFinder {
    private static final int MOST_REMEMBERED = 100_000;
    private static final int FIRST_PROBES_FROM_NOTHING = 31;
    private static final int FIRST_PROBES_FROM_A_HINT = 4;
    private static final int PROBES_BETWEEN = 32;

    private final FirestoreSchema schema;
    private final Map<String, Tail> remembered = new ConcurrentHashMap<>();
    private final Map<String, Long> bases = new ConcurrentHashMap<>();

    TailFinder(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Where the end was when it was last seen; null if this process has not seen it. More may follow. */
    @Nullable Tail hint(String sequence) {
        return remembered.get(sequence);
    }

    /** Remembers an end that was seen. */
    void remember(String sequence, Tail tail) {
        if (remembered.size() >= MOST_REMEMBERED) {
            remembered.clear();
        }
        remembered.merge(sequence, tail, (one, other) -> one.seal() != null || one.last() > other.last() ? one : other);
    }

    /** The last number that was imported; 0 if the sequence was not. */
    public CompletableFuture<Long> base(String sequence, Call call) {
        Long known = bases.get(sequence);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        DocumentReference first = schema.entry(sequence, 1);
        return schema.sender().ask(call, first::get).thenApply(document -> {
            Tail base = baseAt(sequence, document);
            return base == null ? 0 : base.last();
        });
    }

    /** What the document of number 1 tells of a base, which stays. */
    private @Nullable Tail baseAt(String sequence, @Nullable DocumentSnapshot first) {
        if (first == null || !EntryDocument.isBase(first)) {
            return null;
        }
        Tail base = EntryDocument.toBase(first);
        if (bases.size() >= MOST_REMEMBERED) {
            bases.clear();
        }
        bases.put(sequence, base.last());
        return base;
    }

    /** Where the end is now. */
    public CompletableFuture<Tail> find(String sequence, Call call) {
        Tail hint = remembered.get(sequence);
        if (hint != null && hint.seal() != null) {
            return CompletableFuture.completedFuture(hint);
        }
        int probes = hint == null ? FIRST_PROBES_FROM_NOTHING : FIRST_PROBES_FROM_A_HINT;
        return new Search(sequence, call).beyond(hint == null ? Tail.EMPTY : hint, probes);
    }

    /** One search for one end. */
    private final class Search {
        private final String sequence;
        private final Call call;

        Search(String sequence, Call call) {
            this.sequence = sequence;
            this.call = call;
        }

        /** Looks 1, 2, 4, … beyond a number that is there. */
        CompletableFuture<Tail> beyond(Tail known, int probes) {
            TreeSet<Long> numbers = new TreeSet<>();
            for (int i = 0; i < probes; i++) {
                numbers.add(known.last() + (1L << i));
            }
            return probe(known, numbers);
        }

        /** Looks at places spread evenly between a number that is there and one that was not. */
        private CompletableFuture<Tail> between(Tail known, long absent) {
            TreeSet<Long> numbers = new TreeSet<>();
            long step = Math.max(1, (absent - known.last()) / PROBES_BETWEEN);
            for (long number = known.last() + 1; number < absent; number += step) {
                numbers.add(number);
            }
            numbers.add(absent); // it may be there by now
            return probe(known, numbers);
        }

        private CompletableFuture<Tail> probe(Tail known, NavigableSet<Long> numbers) {
            DocumentReference[] references = numbers.stream()
                    .map(number -> schema.entry(sequence, number))
                    .toArray(DocumentReference[]::new);
            return schema.sender()
                    .ask(call, () -> schema.firestore().getAll(references))
                    .thenCompose(documents -> {
                        TreeMap<Long, DocumentSnapshot> there = new TreeMap<>();
                        int next = 0;
                        for (long number : numbers) {
                            DocumentSnapshot document = documents.get(next++);
                            if (document.exists()) {
                                there.put(number, document);
                            }
                        }
                        Tail base = baseAt(sequence, there.get(1L));
                        return base == null
                                ? narrow(known, numbers, there)
                                : narrow(base, numbers.tailSet(base.last(), false), there.tailMap(base.last(), false));
                    });
        }

        private CompletableFuture<Tail> narrow(
                Tail known, NavigableSet<Long> numbers, NavigableMap<Long, DocumentSnapshot> there) {
            Tail best = there.isEmpty() ? known : tailAt(there.lastEntry());
            if (best.seal() != null || numbers.contains(best.last() + 1)) {
                // The next one was looked for at the same moment, or before, and was not there.
                remember(sequence, best);
                return CompletableFuture.completedFuture(best);
            }
            Long absent = numbers.higher(best.last());
            return absent == null
                    ? beyond(best, numbers.isEmpty() ? FIRST_PROBES_FROM_NOTHING : 2 * numbers.size())
                    : between(best, absent);
        }
    }

    private static Tail tailAt(Map.Entry<Long, DocumentSnapshot> found) {
        DocumentSnapshot document = found.getValue();
        if (EntryDocument.isSeal(document)) {
            long last = found.getKey() - 1;
            Seal seal = EntryDocument.toSeal(document, last);
            return new Tail(last, seal.liveCount(), seal);
        }
        return new Tail(found.getKey(), EntryDocument.liveCount(document), null);
    }
}
