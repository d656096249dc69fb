package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Chapter 4: documents with many entries or subjects, which are read and then written as a whole. */
public final class ChunkFlaws {
    /** The time between reading a document and writing it. */
    private static final long GAP = TimeUnit.MICROSECONDS.toNanos(500);

    /** The prefix of the document of all that was ever copied. */
    private static final String COPIED = "all of ";

    private ChunkFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("erases in a document of many entries that it read before", "13.8")
                        .sequences(Chunks<Boolean>::new, ErasesInChunks::new),
                Flaw.that("copies to a document of many entries that it read before", "4.7")
                        .backend(Chunks<Boolean>::new, ChunkFlaws::copyingToChunks),
                Flaw.that("imports a subject to a document of many subjects that it read before", "4.7")
                        .migration(Chunks<Boolean>::new, ImportsToChunks::new));
    }

    /** The documents of sequences. */
    private record Chunks<V>(Map<String, Map<String, V>> documents) {
        Chunks() {
            this(new ConcurrentHashMap<>());
        }

        Map<String, V> of(String sequence) {
            return documents.getOrDefault(sequence, Map.of());
        }

        void put(String sequence, Map<String, V> more) {
            Map<String, V> document = new HashMap<>(more);
            document.putAll(of(sequence));
            LockSupport.parkNanos(GAP);
            documents.put(sequence, document);
        }
    }

    private static final class ErasesInChunks extends ForwardingSequenceStore {
        private final Chunks<Boolean> erased;

        ErasesInChunks(SequenceStore store, Chunks<Boolean> erased) {
            super(store);
            this.erased = erased;
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.tail(sequence, commit).thenApply(tail -> {
                if (number > tail.last()) {
                    return false;
                }
                erased.put(sequence, Map.of("" + number, true));
                return true;
            });
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .map(entry -> erased.of(sequence).containsKey("" + entry.number())
                                    ? entry.withoutFields()
                                    : entry)
                            .toList());
        }
    }

    /** Stores what is copied, and shows it only if it is in the document. */
    private static CounterBackend copyingToChunks(CounterBackend right, Chunks<Boolean> copied) {
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
                return store.read(sequence, range, call)
                        .thenApply(entries -> entries.stream()
                                .filter(entry -> !copied.of(COPIED + sequence).containsKey("" + entry.number())
                                        || copied.of(sequence).containsKey("" + entry.number()))
                                .toList());
            }
        };
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
                return store.copy(sequence, entries, call).thenAccept(done -> {
                    Map<String, Boolean> more = new HashMap<>();
                    entries.forEach(entry -> more.put("" + entry.number(), true));
                    copied.documents()
                            .computeIfAbsent(COPIED + sequence, unknown -> new ConcurrentHashMap<>())
                            .putAll(more);
                    copied.put(sequence, more);
                });
            }
        };
        return new WithMigration(right, right.counters(), sequences, migration);
    }

    private static final class ImportsToChunks extends ForwardingMigrationStore {
        private final Chunks<Boolean> subjects;

        ImportsToChunks(CounterBackend right, Chunks<Boolean> subjects) {
            super(right.migration());
            this.subjects = subjects;
        }

        @Override
        public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
            subjects.put(sequence, Map.of(subject, isLive));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
            return store.subject(sequence, subject, call)
                    .thenApply(known -> known.isPresent()
                            ? known
                            : Optional.ofNullable(subjects.of(sequence).get(subject)));
        }
    }
}
