package io.counterkit.verification.broken.text;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Renamed;
import io.counterkit.verification.broken.flaw.Rewritten;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 5, 9 and 10, continued: similar texts that are confused. */
public final class TextFlaws {
    private TextFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                names("truncates names to 255 characters", text -> cut(text, 255)),
                names(
                        "replaces characters outside the basic plane in names",
                        text -> text.replaceAll("[^\\x{0}-\\x{ffff}]", "?")),
                names("treats full-width letters in names as plain ones", text -> text.replace('\uff41', 'a')),
                names("ignores diacritics in names", text -> text.replace('\u304c', '\u304b')),
                names("treats names with equal hash codes as one", text -> text.replace("BB", "Aa")),
                lists(
                        "lists names that match the prefix only in another case",
                        (name, prefix) -> name.regionMatches(true, 0, prefix, 0, prefix.length())),
                lists(
                        "treats an underscore in a prefix as a wildcard",
                        (name, prefix) -> Pattern.compile(Pattern.quote(prefix).replace("_", "\\E.\\Q"), Pattern.DOTALL)
                                .matcher(name)
                                .lookingAt()),
                lists(
                        "treats a backslash in a prefix as an escape character",
                        (name, prefix) -> name.startsWith(prefix.replaceAll("\\\\(.)", "$1"))),
                lists(
                        "ends the range of a prefix before the largest character",
                        (name, prefix) -> name.startsWith(prefix) && !name.startsWith(prefix + "\uffff")),
                tokens("truncates tokens to 255 characters", text -> cut(text, 255)),
                tokens("folds the case of tokens", text -> text.toLowerCase(Locale.ROOT)),
                tokens("trims tokens", String::strip),
                tokens("normalises tokens", text -> Normalizer.normalize(text, Normalizer.Form.NFC)),
                subjects("folds the case of subjects", text -> text.toLowerCase(Locale.ROOT)),
                subjects("trims subjects", String::strip),
                subjects("truncates subjects to 128 characters", text -> cut(text, 128)),
                subjects("normalises subjects", text -> Normalizer.normalize(text, Normalizer.Form.NFKC)),
                Flaw.that("joins sequence and subject into one ambiguous key", "10.15")
                        .sequences(ConcurrentHashMap::<String>newKeySet, JoinsKeys::new));
    }

    static String cut(String text, int length) {
        return text.substring(0, Math.min(length, text.length()));
    }

    static Flaw names(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "9.6").backend(right -> Renamed.of(right, key));
    }

    private static Flaw lists(String does, BiPredicate<String, String> starts) {
        return Flaw.that(does, "1.8").counters(store -> new Lists(store, starts));
    }

    static Flaw tokens(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "5.19")
                .backend(right ->
                        new ForwardingCounterBackend(
                                right, Rewritten.tokensOfAdds(right.counters(), key), right.sequences()) {
                            @Override
                            public CompletableFuture<Resolution> resolve(
                                    IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
                                return backend.resolve(
                                        origin == null ? IdempotencyToken.of(key.apply(token.value())) : token,
                                        origin,
                                        call);
                            }
                        });
    }

    static Flaw subjects(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "10.15")
                .sequences(store -> Rewritten.appends(
                        store,
                        request -> request.subject() == null
                                ? request
                                : new AppendRequest(
                                        request.change(),
                                        key.apply(request.subject()),
                                        request.fields(),
                                        request.token())));
    }

    private static final class Lists extends ForwardingCounterStore {
        private final BiPredicate<String, String> starts;

        Lists(CounterStore store, BiPredicate<String, String> starts) {
            super(store);
            this.starts = starts;
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names("", null, 10_000, call).thenApply(page -> {
                List<String> names = page.names().stream()
                        .filter(name -> starts.test(name, prefix) && (cursor == null || name.compareTo(cursor) > 0))
                        .toList();
                return names.size() <= limit
                        ? new NamePage(names, null)
                        : new NamePage(names.subList(0, limit), names.get(limit - 1));
            });
        }
    }

    private static final class JoinsKeys extends ForwardingSequenceStore {
        private final Set<String> live;

        JoinsKeys(SequenceStore store, Set<String> live) {
            super(store);
            this.live = live;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            AppendRequest request = requests.get(0);
            String key = sequence + "/" + request.subject();
            if (request.subject() != null && request.change() == Change.ADDED && !live.add(key)) {
                return Futures.done(List.of(Result.failed(new ChangeRefusedException("'" + key + "' is live"))));
            }
            return store.append(sequence, requests, commit);
        }
    }
}
