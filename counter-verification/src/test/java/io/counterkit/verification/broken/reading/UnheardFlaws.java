package io.counterkit.verification.broken.reading;

import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Listeners;
import io.counterkit.verification.broken.flaw.LiveListening;
import io.counterkit.verification.broken.reading.CounterListenerFlaws.Reporting;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Chapters 3 and 15, continued: listeners that are not called for some names, or after large batches. */
public final class UnheardFlaws {
    /** Shorter than the longest payload of a notification in some stores. */
    private static final int PAYLOAD = 8_000;

    private UnheardFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                counters("*"),
                counters("["),
                counters("%"),
                sequences("?"),
                sequences(","),
                CounterListenerFlaws.flaw(
                        "reports no batch with more than 8,000 bytes of names to listeners", ReportsNoLargeBatch::new));
    }

    private static Flaw counters(String sign) {
        return CounterListenerFlaws.flaw(
                "listens to no counter whose name has the sign " + sign,
                CounterListenerFlaws.listening((all, name, changed) ->
                        name.contains(sign) ? new LiveListening(() -> {}) : all.listen(name, changed)));
    }

    private static Flaw sequences(String sign) {
        return Flaw.that("listens to no sequence whose name has the sign " + sign, "15.10")
                .sequences(store -> new ListensToPlainNames(store, sign));
    }

    private static final class ListensToPlainNames extends ForwardingSequenceStore {
        private final String sign;

        ListensToPlainNames(SequenceStore store, String sign) {
            super(store);
            this.sign = sign;
        }

        @Override
        public @Nullable Listening listen(String sequence, Runnable changed) {
            return sequence.contains(sign) ? new LiveListening(() -> {}) : store.listen(sequence, changed);
        }
    }

    private static final class ReportsNoLargeBatch extends Reporting {
        ReportsNoLargeBatch(CounterStore right, Listeners all) {
            super(right, all);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            int bytes = requests.stream()
                    .mapToInt(request -> request.name().length())
                    .sum();
            return bytes > PAYLOAD ? store.add(requests, commit) : super.add(requests, commit);
        }
    }
}
