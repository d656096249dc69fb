package io.counterkit.verification.broken.sequence;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Chapter 13, continued: ranges of which only a few entries were copied, for backends that read a range part by part.
 */
public final class SparseRangeFlaws {
    private static final int PART = 100;

    private SparseRangeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw("ends a range at a part without entries", (entries, range) -> {
                    for (int i = 1; i < entries.size(); i++) {
                        if (entries.get(i).number() - entries.get(i - 1).number() > PART) {
                            return entries.subList(0, i);
                        }
                    }
                    return entries;
                }),
                flaw(
                        "reads nothing of a range whose first part has no entries",
                        (entries, range) -> !entries.isEmpty() && entries.get(0).number() - range.from() >= PART
                                ? List.of()
                                : entries));
    }

    private static Flaw flaw(String does, BiFunction<List<Entry>, NumberRange, List<Entry>> shown) {
        return Flaw.that(does, "13.8").sequences(store -> new ForwardingSequenceStore(store) {
            @Override
            public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
                return store.read(sequence, range, call).thenApply(entries -> shown.apply(entries, range));
            }
        });
    }
}
