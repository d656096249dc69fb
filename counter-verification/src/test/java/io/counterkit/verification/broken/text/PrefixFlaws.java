package io.counterkit.verification.broken.text;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Interceptor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chapters 1 and 3, continued: prefixes of lists and of the largest counters. */
public final class PrefixFlaws {
    private static final int LONGEST = 250;
    private static final int ALL = 1_000_000;

    /** The last character before those that are halves of others. */
    private static final String BEFORE_SURROGATES = "\ud7ff";

    private PrefixFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("cuts the prefix of a list of counters", "1.8").counters(CutsPrefixOfCounters::new),
                Flaw.that("cuts the prefix of a list of sequences", "1.8").sequences(CutsPrefixOfSequences::new),
                top("cuts the prefix of the largest counters", (name, prefix) -> name.startsWith(cut(prefix))),
                top("takes the prefix of the largest counters as a pattern", PrefixFlaws::matches),
                top(
                        "ends the range of the largest counters at the last character of the basic plane",
                        (name, prefix) -> name.startsWith(prefix)
                                && (name.length() == prefix.length() || name.codePointAt(prefix.length()) <= 0xffff)),
                top(
                        "omits the counter whose name is the prefix from the largest",
                        (name, prefix) -> name.startsWith(prefix) && name.length() > prefix.length()),
                top(
                        "ends the range of the largest counters at the next character, which may be half of one",
                        (name, prefix) -> name.startsWith(prefix) && !prefix.endsWith(BEFORE_SURROGATES)),
                names(
                        "1.8",
                        "ends the range of names at the next character, which may be half of one",
                        call -> call.<String>argument(0).endsWith(BEFORE_SURROGATES)
                                ? CompletableFuture.completedFuture(new NamePage(List.of(), null))
                                : call.pass()),
                names("1.10", "continues a list at the part of its cursor before a bar", call -> {
                    Object cursor = call.arguments().get(1);
                    return cursor instanceof String text && text.contains("|")
                            ? call.passWith(1, text.substring(0, text.indexOf('|')))
                            : call.pass();
                }));
    }

    private static Flaw names(String rule, String does, Interceptor wrong) {
        return Flaw.that(does, rule)
                .backend(right -> Intercepted.of(
                        right, call -> call.method().endsWith(".names") ? wrong.answer(call) : call.pass()));
    }

    private static String cut(String prefix) {
        return prefix.length() > LONGEST ? prefix.substring(0, LONGEST) : prefix;
    }

    /** Returns whether a name matches a pattern, as Redis has them, and something after it. */
    private static boolean matches(String name, String pattern) {
        String regex = pattern.chars()
                .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf((char) c)))
                .collect(Collectors.joining());
        return Pattern.compile(regex + ".*", Pattern.DOTALL).matcher(name).matches();
    }

    private static Flaw top(String does, BiPredicate<String, String> isUnder) {
        return Flaw.that(does, "3.17").counters(store -> new ForwardingCounterStore(store) {
            @Override
            public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
                return store.top("", ALL, call)
                        .thenApply(all -> all.stream()
                                .filter(named -> isUnder.test(named.name(), prefix))
                                .limit(limit)
                                .toList());
            }
        });
    }

    private static final class CutsPrefixOfCounters extends ForwardingCounterStore {
        CutsPrefixOfCounters(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(cut(prefix), cursor, limit, call);
        }
    }

    private static final class CutsPrefixOfSequences extends ForwardingSequenceStore {
        CutsPrefixOfSequences(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(cut(prefix), cursor, limit, call);
        }
    }
}
