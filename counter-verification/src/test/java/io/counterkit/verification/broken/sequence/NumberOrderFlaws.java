package io.counterkit.verification.broken.sequence;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import io.counterkit.spi.Call;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Chapter 10, continued: entries in the order of texts that stand for their numbers. */
public final class NumberOrderFlaws {
    private NumberOrderFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                ranges("finds entries by numbers of 16 digits as texts", number -> String.format("%016d", number)),
                ranges("finds entries by numbers of 18 digits as texts", number -> String.format("%018d", number)),
                ranges("finds entries by numbers of 8 hexadecimal digits", number -> String.format("%08x", number)),
                Flaw.that("finds the last number among numbers of 18 digits as texts", "10.27")
                        .sequences(LastAsText::new));
    }

    private static Flaw ranges(String does, LongFunction<String> key) {
        return Flaw.that(does, "10.27").sequences(store -> new ForwardingSequenceStore(store) {
            @Override
            public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
                return store.read(sequence, range, call)
                        .thenApply(entries -> entries.stream()
                                .filter(entry -> isBetween(key.apply(entry.number()), range, key))
                                .toList());
            }
        });
    }

    private static boolean isBetween(String number, NumberRange range, LongFunction<String> key) {
        return key.apply(range.from()).compareTo(number) <= 0 && number.compareTo(key.apply(range.to())) <= 0;
    }

    private static final class LastAsText extends ForwardingSequenceStore {
        private static final long TOO_LONG = 1_000_000_000_000_000_000L;

        LastAsText(SequenceStore store) {
            super(store);
        }

        /** The largest text is that of the last number that has 18 digits, if it is an entry. */
        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call)
                    .thenCompose(tail -> tail.last() < TOO_LONG || tail.last() > TOO_LONG + 1
                            ? CompletableFuture.completedFuture(tail)
                            : store.read(sequence, new NumberRange(TOO_LONG - 1, TOO_LONG - 1), call)
                                    .thenApply(entries -> entries.isEmpty()
                                            ? tail
                                            : new Tail(TOO_LONG - 1, tail.liveCount(), tail.seal())));
        }
    }
}
