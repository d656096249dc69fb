package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.Rewritten;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 6 and 10, continued: values that are read back changed. */
public final class ValueFlaws {
    private ValueFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                fields(
                        "folds the case of field names",
                        (name, value) -> Map.entry(name.toLowerCase(Locale.ROOT), value),
                        "10.16"),
                fields(
                        "trims field names",
                        (name, value) -> Map.entry(name.strip().isEmpty() ? name : name.strip(), value),
                        "10.16"),
                fields(
                        "reads negative zero as zero",
                        (name, value) ->
                                Map.entry(name, value instanceof Double number ? (Object) (number + 0.0) : value),
                        "10.17"),
                fields(
                        "removes trailing blanks of texts",
                        (name, value) -> Map.entry(name, value instanceof String text ? text.stripTrailing() : value),
                        "10.17"),
                fields(
                        "truncates texts to 4,000 characters",
                        (name, value) ->
                                Map.entry(name, value instanceof String text ? TextFlaws.cut(text, 4000) : value),
                        "10.9",
                        "10.17"),
                fields(
                        "rounds instants before 1970 in the wrong direction",
                        (name, value) -> Map.entry(name, value instanceof Instant then ? cutToSeconds(then) : value),
                        "10.17"),
                fields(
                        "reads a text of digits as a number",
                        (name, value) -> Map.entry(
                                name,
                                value instanceof String text && text.matches("[0-9]{1,9}")
                                        ? (Object) Long.valueOf(text)
                                        : value),
                        "10.17"),
                fields(
                        "converts line breaks",
                        (name, value) ->
                                Map.entry(name, value instanceof String text ? text.replace("\r\n", "\n") : value),
                        "10.17"),
                fields(
                        "takes a text that is a time for that time",
                        (name, value) -> Map.entry(
                                name,
                                value instanceof String text && text.matches("\\d{4}-\\d\\d-\\d\\dT.*\\.\\d{3}Z")
                                        ? Instant.parse(text).toString()
                                        : value),
                        "10.17"),
                Flaw.that("returns an entry without fields as erased when its append is repeated", "10.17")
                        .sequences(ConcurrentHashMap::<IdempotencyToken>newKeySet, TakesNoFieldsForErased::new),
                Flaw.that("converts a resolved delta to 32 bits", "6.7").backend(ResolvesThroughInts::new),
                Flaw.that("converts a sealed total to floating point", "6.7").counters(SealsThroughDoubles::new),
                Flaw.that("converts imported totals to floating point", "6.7").migration(ImportsThroughDoubles::new),
                Flaw.that("converts the number of an erasure to 32 bits", "6.7")
                        .sequences(store -> new ForwardingSequenceStore(store) {
                            @Override
                            public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
                                return store.erase(sequence, Math.max((int) number, 0), commit);
                            }
                        }));
    }

    /** Rounds towards 1970, as a division of milliseconds does. */
    private static Instant cutToSeconds(Instant then) {
        return then.toEpochMilli() < 0 ? Instant.ofEpochMilli(then.toEpochMilli() / 1000 * 1000) : then;
    }

    private static Flaw fields(String does, Rewriting rewriting, String... breaks) {
        return Flaw.that(does, breaks)
                .sequences(store -> Rewritten.appends(
                        store,
                        request -> new AppendRequest(
                                request.change(),
                                request.subject(),
                                rewritten(request.fields(), rewriting),
                                request.token())));
    }

    private static Map<String, Object> rewritten(Map<String, Object> fields, Rewriting rewriting) {
        Map<String, Object> rewritten = new HashMap<>();
        fields.forEach((name, value) -> {
            Map.Entry<String, Object> field = rewriting.rewrite(name, value);
            rewritten.put(field.getKey(), field.getValue());
        });
        return rewritten;
    }

    /** Changes a field as another store might. */
    private interface Rewriting {
        Map.Entry<String, Object> rewrite(String name, Object value);
    }

    private static final class TakesNoFieldsForErased extends ForwardingSequenceStore {
        private final Set<IdempotencyToken> used;

        TakesNoFieldsForErased(SequenceStore store, Set<IdempotencyToken> used) {
            super(store);
            this.used = used;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit)
                    .thenApply(results -> Joined.of(requests, results, this::repeated));
        }

        private Result<Entry> repeated(AppendRequest request, Result<Entry> result) {
            Entry entry = result.value();
            return entry == null
                            || request.token() == null
                            || used.add(request.token())
                            || !entry.fields().isEmpty()
                    ? result
                    : Result.of(entry.withoutFields());
        }
    }

    private static final class ResolvesThroughInts extends ForwardingCounterBackend {
        ResolvesThroughInts(CounterBackend right) {
            super(right);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return backend.resolve(token, origin, call)
                    .thenApply(resolution -> resolution instanceof Resolution.Added added
                            ? new Resolution.Added(added.counter(), (int) added.delta())
                            : resolution);
        }
    }

    private static final class SealsThroughDoubles extends ForwardingCounterStore {
        SealsThroughDoubles(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return store.seal(name, forward, commit)
                    .thenApply(seal ->
                            new Seal(seal.forward(), (long) (double) seal.last(), (long) (double) seal.liveCount()));
        }
    }

    private static final class ImportsThroughDoubles extends ForwardingMigrationStore {
        ImportsThroughDoubles(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            ImportedState rounded = new ImportedState(
                    base.origin(), base.isPresent(), (long) (double) base.value(), (long) (double) base.last());
            return store.importBase(kind, name, rounded, call);
        }
    }
}
