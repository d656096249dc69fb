package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Rewritten;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 9, 10 and 13, continued: signs of a store's own language, and keys that are joined from two texts. */
public final class SignFlaws {
    private static final int ALL = 1_000_000;
    private static final int LONGEST_KEY = 767;

    private SignFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                prefixes(
                        "escapes wildcards in a prefix by an exclamation mark, which it does not escape",
                        (name, prefix) -> name.startsWith(prefix.replaceAll("!(.)", "$1"))),
                prefixes(
                        "escapes wildcards in a prefix by a caret, which it does not escape",
                        (name, prefix) -> name.startsWith(prefix.replaceAll("\\^(.)", "$1"))),
                prefixes("quotes a prefix in a pattern by signs that it may contain", SignFlaws::matches),
                Flaw.that("decodes plus signs in a cursor as blanks", "1.10")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().endsWith(".names")
                                                && call.arguments().get(1) instanceof String cursor
                                        ? call.passWith(1, cursor.replace('+', ' '))
                                        : call.pass())),
                Flaw.that("drops a field that has the name of a property of every object", "10.16")
                        .sequences(right -> Rewritten.appends(right, SignFlaws::withoutPrototype)),
                Flaw.that("cuts the key of a sequence and a subject", "10.15")
                        .sequences(ConcurrentHashMap<String, String>::new, CutsKeys::new),
                Flaw.that("cuts the key of a sequence and an imported subject", "13.17")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().endsWith("ubject")
                                        ? call.passWith(1, cut(call.argument(0), call.argument(1)))
                                        : call.pass())),
                Flaw.that("stores the last number of a sequence under its name and ':last'", "9.9")
                        .sequences(ConcurrentHashMap::<String>newKeySet, MeetsSequences::new),
                Flaw.that("stores the age of a counter under its name and ':ts'", "9.7")
                        .counters(ConcurrentHashMap::<String>newKeySet, MeetsCounters::new));
    }

    private static Flaw prefixes(String does, BiPredicate<String, String> isUnder) {
        return Flaw.that(does, "1.8").counters(store -> new ForwardingCounterStore(store) {
            @Override
            public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
                return store.names("", null, ALL, call).thenApply(all -> {
                    List<String> found = all.names().stream()
                            .filter(name -> isUnder.test(name, prefix))
                            .sorted()
                            .filter(name -> cursor == null || name.compareTo(cursor) > 0)
                            .toList();
                    return found.size() <= limit
                            ? new NamePage(found, null)
                            : new NamePage(found.subList(0, limit), found.get(limit - 1));
                });
            }
        });
    }

    private static boolean matches(String name, String prefix) {
        int end = prefix.indexOf("\\E");
        return end < 0
                ? name.startsWith(prefix)
                : name.matches(Pattern.quote(prefix.substring(0, end)) + "\\\\E.*"); // the rest is taken for a pattern
    }

    private static AppendRequest withoutPrototype(AppendRequest request) {
        Map<String, Object> fields = new LinkedHashMap<>(request.fields());
        fields.remove("__proto__");
        return new AppendRequest(request.change(), request.subject(), fields, request.token());
    }

    /** Returns the part of a subject for which the key has room. */
    private static String cut(String sequence, String subject) {
        int room = LONGEST_KEY - sequence.length() - 1;
        return subject.length() <= room ? subject : subject.substring(0, room).replaceAll("[\ud800-\udbff]$", "");
    }

    /** Gives each append the first subject with the same key. */
    private static final class CutsKeys extends ForwardingSequenceStore {
        private final Map<String, String> first;

        CutsKeys(SequenceStore store, Map<String, String> first) {
            super(store);
            this.first = first;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(
                    sequence,
                    requests.stream()
                            .map(request -> {
                                String subject = request.subject();
                                return subject == null ? request : withSubject(request, firstOf(sequence, subject));
                            })
                            .toList(),
                    commit);
        }

        private String firstOf(String sequence, String subject) {
            return first.computeIfAbsent(sequence + "\n" + cut(sequence, subject), unseen -> subject);
        }

        private static AppendRequest withSubject(AppendRequest request, String subject) {
            return new AppendRequest(request.change(), subject, request.fields(), request.token());
        }
    }

    private static boolean meets(String name, String word, Set<String> used) {
        return name.endsWith(word) && used.contains(name.substring(0, name.length() - word.length()));
    }

    private static final class MeetsSequences extends ForwardingSequenceStore {
        private final Set<String> used;

        MeetsSequences(SequenceStore store, Set<String> used) {
            super(store);
            this.used = used;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            used.add(sequence);
            return meets(sequence, ":last", used)
                    ? CompletableFuture.failedFuture(new NotAppliedException("the key has a value of another type"))
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class MeetsCounters extends ForwardingCounterStore {
        private final Set<String> used;

        MeetsCounters(CounterStore store, Set<String> used) {
            super(store);
            this.used = used;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> used.add(request.name()));
            return requests.stream().anyMatch(request -> meets(request.name(), ":ts", used))
                    ? CompletableFuture.failedFuture(new NotAppliedException("the key has a value of another type"))
                    : store.add(requests, commit);
        }
    }
}
