package io.counterkit.verification.broken.token;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chapter 5, continued: backends that compare a change with the first one of its token, but only in part. */
public final class ComparisonFlaws {
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final int COLUMN = 255;

    private ComparisonFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                adds(
                        "compares the delta of a used token without its sign",
                        add -> List.of(add.name(), Math.abs(add.delta()))),
                adds("compares the delta of a used token in 32 bits", add -> List.of(add.name(), (int) add.delta())),
                adds(
                        "compares the delta of a used token in single precision",
                        add -> List.of(add.name(), (float) add.delta())),
                adds(
                        "compares the counter of a used token without case",
                        add -> List.of(folded(add.name()), add.delta())),
                adds("compares the start of the counter of a used token", add -> List.of(cut(add.name()), add.delta())),
                adds(
                        "compares the hash code of the counter of a used token",
                        add -> List.of(add.name().hashCode(), add.delta())),
                appends(
                        "does not compare the kind of change of a used token",
                        append -> List.of(append.sequence(), text(append.subject()))),
                appends(
                        "takes no subject for the subject 'null' in an append with a used token",
                        append -> List.of(append.sequence(), append.change(), "" + append.subject())),
                appends(
                        "compares the subject of a used token without case",
                        append -> List.of(append.sequence(), append.change(), folded(text(append.subject())))),
                appends(
                        "compares the start of the sequence of a used token",
                        append -> List.of(cut(append.sequence()), append.change(), text(append.subject()))));
    }

    private static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static String cut(String text) {
        return text.length() > COLUMN ? text.substring(0, COLUMN) : text;
    }

    /** Returns a text that differs for no subject and each subject. */
    private static String text(@Nullable String subject) {
        return subject == null ? "" : subject;
    }

    private static Flaw adds(String does, Function<AddRequest, Object> compared) {
        return Flaw.that(does, "5.3")
                .backend(right ->
                        new ForwardingCounterBackend(right, new ComparesAdds(right, compared), right.sequences()));
    }

    private static Flaw appends(String does, Function<Append, Object> compared) {
        return Flaw.that(does, "5.3")
                .backend(right ->
                        new ForwardingCounterBackend(right, right.counters(), new ComparesAppends(right, compared)));
    }

    private static final class ComparesAdds extends ForwardingCounterStore {
        private final CounterBackend backend;
        private final Function<AddRequest, Object> compared;

        ComparesAdds(CounterBackend backend, Function<AddRequest, Object> compared) {
            super(backend.counters());
            this.backend = backend;
            this.compared = compared;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(right -> {
                List<Result<Void>> results = new ArrayList<>();
                for (int i = 0; i < right.size(); i++) {
                    boolean isRefused = right.get(i).failure() instanceof TokenRefusedException;
                    results.add(isRefused && isRepeated(requests.get(i)) ? Result.applied() : right.get(i));
                }
                return results;
            });
        }

        private boolean isRepeated(AddRequest request) {
            IdempotencyToken token = request.token();
            return token != null
                    && backend.resolve(token, null, Commits.lasting(TIME)).join() instanceof Resolution.Added first
                    && compared.apply(new AddRequest(first.counter(), first.delta(), token))
                            .equals(compared.apply(request));
        }
    }

    private record Append(
            String sequence, Change change, @Nullable String subject) {}

    private static final class ComparesAppends extends ForwardingSequenceStore {
        private final CounterBackend backend;
        private final Function<Append, Object> compared;

        ComparesAppends(CounterBackend backend, Function<Append, Object> compared) {
            super(backend.sequences());
            this.backend = backend;
            this.compared = compared;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).thenApply(right -> {
                List<Result<Entry>> results = new ArrayList<>();
                for (int i = 0; i < right.size(); i++) {
                    boolean isRefused = right.get(i).failure() instanceof TokenRefusedException;
                    Entry first = isRefused ? first(sequence, requests.get(i)) : null;
                    results.add(first == null ? right.get(i) : Result.of(first));
                }
                return results;
            });
        }

        /** Returns the entry with the token of the request, if it seems to be of the same change. */
        private @Nullable Entry first(String sequence, AppendRequest request) {
            IdempotencyToken token = request.token();
            if (token == null
                    || !(backend.resolve(token, null, Commits.lasting(TIME)).join()
                            instanceof Resolution.Appended first)) {
                return null;
            }
            NumberRange number = new NumberRange(first.number(), first.number());
            Entry entry = store.read(first.sequence(), number, Commits.lasting(TIME))
                    .join()
                    .get(0);
            Append then = new Append(first.sequence(), entry.change(), entry.subject());
            Append now = new Append(sequence, request.change(), request.subject());
            return compared.apply(then).equals(compared.apply(now)) ? entry : null;
        }
    }
}
