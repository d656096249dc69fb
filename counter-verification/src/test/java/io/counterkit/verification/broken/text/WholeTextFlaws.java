package io.counterkit.verification.broken.text;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Renamed;
import io.counterkit.verification.broken.flaw.Rewritten;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Chapters 5, 9 and 10, continued: texts that a store converts to another type if they are, as a whole, a value of it.
 */
public final class WholeTextFlaws {
    private static final String UUID = "(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private WholeTextFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                names("stores names of digits as numbers", WholeTextFlaws::number, "9.5", "9.6"),
                names("drops the quotes around a name", name -> name.replaceAll("^\"(.+)\"$", "$1"), "9.5", "9.6"),
                names("stores names that look like UUIDs as such", WholeTextFlaws::uuid, "9.6"),
                names("takes all blank names for the same", name -> name.isBlank() ? " " : name, "9.5"),
                names(
                        "ignores the case of names of one character",
                        name -> name.length() == 1 ? name.toLowerCase(Locale.ROOT) : name,
                        "9.5"),
                tokens("stores tokens of digits as numbers", WholeTextFlaws::number),
                tokens("stores tokens that look like UUIDs as such", WholeTextFlaws::uuid),
                TextFlaws.subjects("stores subjects of digits as numbers", WholeTextFlaws::number));
    }

    private static String number(String text) {
        return text.matches("[0-9]+") ? new BigInteger(text).toString() : text;
    }

    private static String uuid(String text) {
        return text.matches(UUID) ? text.toLowerCase(Locale.ROOT) : text;
    }

    private static Flaw names(String does, UnaryOperator<String> key, String... breaks) {
        return Flaw.that(does, breaks).backend(right -> Renamed.of(right, key));
    }

    private static Flaw tokens(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "5.19", "5.26").backend(right -> withTokens(right, key));
    }

    private static CounterBackend withTokens(CounterBackend right, UnaryOperator<String> key) {
        CounterStore counters = Rewritten.tokensOfAdds(right.counters(), key);
        SequenceStore sequences = Rewritten.tokensOfAppends(right.sequences(), key);
        return new ForwardingCounterBackend(right, counters, sequences) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                return backend.resolve(IdempotencyToken.of(key.apply(token.value())), target, call);
            }
        };
    }
}
