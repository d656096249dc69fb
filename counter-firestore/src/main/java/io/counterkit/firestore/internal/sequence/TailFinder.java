package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.spi.RecentlyUsed;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tail of a sequence without a query or an index. Numbers have no gaps and entries are not deleted, so every
 * number up to the last one exists. The search reads numbers 1, 2, 4, 8, … in one round trip and then numbers between
 * the two that enclose the tail: five round trips for a million entries, one or two from a remembered tail.
 * Thread-safe.
 *
 * <p>If a sequence was imported, the entries up to its base may not exist. A search without a remembered tail reads
 * number 1, which holds the base, and continues above it.
 */
public final class TailFinder {
    private static final int MOST_REMEMBERED = 100_000;
    private static final int FIRST_PROBES = 31;
    private static final int FIRST_PROBES_AFTER_HINT = 4;
    private static final int PROBES_BETWEEN = 32;

    private final FirestoreSchema schema;
    private final RecentlyUsed<String, Tail> remembered = new RecentlyUsed<>(MOST_REMEMBERED);
    private final RecentlyUsed<String, Long> bases = new RecentlyUsed<>(MOST_REMEMBERED);

    TailFinder(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Returns the tail that this process last saw; null if there is none. The sequence may have grown since. */
    @Nullable Tail hint(String sequence) {
        return remembered.get(sequence);
    }

    /** Remembers a tail, unless a later one is remembered. */
    synchronized void remember(String sequence, Tail tail) {
        Tail known = remembered.get(sequence);
        if (known == null || (known.seal() == null && known.last() <= tail.last())) {
            remembered.put(sequence, tail);
        }
    }

    /** Returns the last imported number; 0 if the sequence was not imported. */
    public CompletableFuture<Long> base(String sequence, Call call) {
        Long known = bases.get(sequence);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        DocumentReference first = schema.entry(sequence, 1);
        return schema.client().read(call, first::get).thenApply(document -> {
            Tail base = baseAt(sequence, document);
            return base == null ? 0 : base.last();
        });
    }

    /** Returns the base in the document of number 1, and remembers it; null if there is none. A base never changes. */
    private @Nullable Tail baseAt(String sequence, @Nullable DocumentSnapshot first) {
        if (first == null || !EntryDocument.isBase(first)) {
            return null;
        }
        Tail base = EntryDocument.toBase(first);
        bases.put(sequence, base.last());
        return base;
    }

    public CompletableFuture<Tail> find(String sequence, Call call) {
        Tail hint = remembered.get(sequence);
        if (hint != null && hint.seal() != null) {
            return CompletableFuture.completedFuture(hint);
        }
        int probes = hint == null ? FIRST_PROBES : FIRST_PROBES_AFTER_HINT;
        return new Search(sequence, call).beyond(hint == null ? Tail.EMPTY : hint, probes);
    }

    private final class Search {
        private final String sequence;
        private final Call call;

        Search(String sequence, Call call) {
            this.sequence = sequence;
            this.call = call;
        }

        /** Reads 1, 2, 4, … numbers beyond an existing one. */
        CompletableFuture<Tail> beyond(Tail known, int probes) {
            TreeSet<Long> numbers = new TreeSet<>();
            for (int i = 0; i < probes; i++) {
                numbers.add(known.last() + (1L << i));
            }
            return probe(known, numbers);
        }

        /** Reads numbers spread evenly between an existing one and a missing one. */
        private CompletableFuture<Tail> between(Tail known, long absent) {
            TreeSet<Long> numbers = new TreeSet<>();
            long step = Math.max(1, (absent - known.last()) / PROBES_BETWEEN);
            for (long number = known.last() + 1; number < absent; number += step) {
                numbers.add(number);
            }
            numbers.add(absent); // it may exist now
            return probe(known, numbers);
        }

        private CompletableFuture<Tail> probe(Tail known, NavigableSet<Long> numbers) {
            return DocumentReads.byKey(schema, call, numbers, number -> schema.entry(sequence, number))
                    .thenCompose(documents -> {
                        TreeMap<Long, DocumentSnapshot> found = new TreeMap<>(documents);
                        found.values().removeIf(document -> !document.exists());
                        Tail base = baseAt(sequence, found.get(1L));
                        return base == null
                                ? narrow(known, numbers, found)
                                : narrow(base, numbers.tailSet(base.last(), false), found.tailMap(base.last(), false));
                    });
        }

        private CompletableFuture<Tail> narrow(
                Tail known, NavigableSet<Long> numbers, NavigableMap<Long, DocumentSnapshot> found) {
            Tail best = found.isEmpty() ? known : tailAt(found.lastEntry());
            if (best.seal() != null || numbers.contains(best.last() + 1)) {
                // The next number was read at the same time or earlier, and did not exist.
                remember(sequence, best);
                return CompletableFuture.completedFuture(best);
            }
            Long absent = numbers.higher(best.last());
            return absent == null
                    ? beyond(best, numbers.isEmpty() ? FIRST_PROBES : 2 * numbers.size())
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
