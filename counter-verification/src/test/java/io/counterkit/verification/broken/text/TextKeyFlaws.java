package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Rewritten;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chapters 5, 9 and 13, continued: tokens, subjects and keys that are taken for one another. */
public final class TextKeyFlaws {
    private static final int CUT = 255;

    private TextKeyFlaws() {}

    public static List<Flaw> all() {
        return Stream.of(
                        folding("ignores the case of", text -> text.toLowerCase(Locale.ROOT)),
                        folding("drops trailing blanks of", String::stripTrailing),
                        folding("normalises", text -> Normalizer.normalize(text, Normalizer.Form.NFC)),
                        folding("cuts", text -> text.length() > CUT ? text.substring(0, CUT) : text),
                        keys())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Flaw> folding(String does, UnaryOperator<String> key) {
        return List.of(
                Flaw.that(does + " tokens of appends", "5.26")
                        .sequences(ConcurrentHashMap<String, String>::new, (store, seen) -> append(store, seen, key)),
                Flaw.that(does + " tokens that were resolved as not applied", "5.26")
                        .backend(
                                ConcurrentHashMap::<String>newKeySet,
                                (right, decided) -> new FoldsDecisions(right, decided, key)),
                Flaw.that(does + " imported subjects", "13.17").migration(right -> new ForwardingMigrationStore(right) {
                    @Override
                    public CompletableFuture<Void> importSubject(
                            String sequence, String subject, boolean isLive, Call call) {
                        return store.importSubject(sequence, key.apply(subject), isLive, call);
                    }
                }));
    }

    /** Gives each append the first token with the same key. */
    private static SequenceStore append(SequenceStore right, Map<String, String> seen, UnaryOperator<String> key) {
        return Rewritten.tokensOfAppends(right, token -> seen.computeIfAbsent(key.apply(token), unseen -> token));
    }

    private static final class FoldsDecisions extends ForwardingCounterBackend {
        private final Set<String> decided;
        private final UnaryOperator<String> key;

        FoldsDecisions(CounterBackend backend, Set<String> decided, UnaryOperator<String> key) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            IdempotencyToken token = requests.get(0).token();
                            return token != null && decided.contains(key.apply(token.value()))
                                    ? CompletableFuture.failedFuture(new TokenRefusedException("resolved before"))
                                    : store.add(requests, commit);
                        }
                    },
                    backend.sequences());
            this.decided = decided;
            this.key = key;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (!resolution.applied()) {
                    decided.add(key.apply(token.value()));
                }
                return resolution;
            });
        }
    }

    private static List<Flaw> keys() {
        return List.of(
                meeting(
                        "stores the end of a sequence under its name, and an entry under the name and '/1'",
                        (name, used) -> name.matches(".*/[0-9]+") && used.contains(name.replaceAll("/[0-9]+$", ""))),
                meeting(
                        "stores the last number of a sequence under its name and '/last'",
                        (name, used) -> name.endsWith("/last") && used.contains(name.substring(0, name.length() - 5))),
                meeting(
                        "joins sequences and numbers without a separator",
                        (name, used) -> name.endsWith("0001") && used.contains(name.substring(0, name.length() - 4))),
                Flaw.that("stores subjects as it stores entries, by sequence and subject", "9.9")
                        .sequences(store -> refusing(store, (sequence, request) -> {
                            String subject = request.subject();
                            return subject != null && subject.matches("[0-9]");
                        })),
                Flaw.that("stores tokens of appends and sequences under the same keys", "9.9")
                        .sequences(
                                ConcurrentHashMap::<String>newKeySet,
                                (store, names) -> refusing(store, (sequence, request) -> {
                                    names.add(sequence);
                                    IdempotencyToken token = request.token();
                                    return token != null && names.contains(token.value());
                                })),
                Flaw.that("stores entries and counters under the same keys", "9.9")
                        .backend(TextKeyFlaws::overwriting));
    }

    /** Returns a flaw that keeps no sequence whose name is a key of another one. */
    private static Flaw meeting(String does, BiPredicate<String, Set<String>> meets) {
        return Flaw.that(does, "9.9")
                .sequences(
                        ConcurrentHashMap::<String>newKeySet,
                        (store, used) -> refusing(store, (sequence, request) -> {
                            used.add(sequence);
                            return meets.test(sequence, used);
                        }));
    }

    private static SequenceStore refusing(SequenceStore right, BiPredicate<String, AppendRequest> isRefused) {
        return new ForwardingSequenceStore(right) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return requests.stream().anyMatch(request -> isRefused.test(sequence, request))
                        ? CompletableFuture.failedFuture(new NotAppliedException("the key has other data"))
                        : store.append(sequence, requests, commit);
            }
        };
    }

    private static CounterBackend overwriting(CounterBackend right) {
        return new ForwardingCounterBackend(right, right.counters(), new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return store.append(sequence, requests, commit).thenCompose(results -> {
                    CompletableFuture<Void> done = Futures.done(null);
                    for (Result<Entry> result : results) {
                        if (result.isApplied()) {
                            String key = sequence + "/" + result.orThrow().number();
                            done = done.thenCompose(before -> right.counters().delete(key, Commits.another(commit)));
                        }
                    }
                    return done.thenApply(all -> results);
                });
            }
        });
    }
}
