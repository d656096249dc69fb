package io.counterkit.verification.broken.flaw;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores that send other requests than those that they received. */
public final class Rewritten {
    private Rewritten() {}

    /** Returns a store that rewrites each add. */
    public static CounterStore adds(CounterStore right, UnaryOperator<AddRequest> rewriting) {
        return new ForwardingCounterStore(right) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return store.add(requests.stream().map(rewriting).toList(), commit);
            }
        };
    }

    /** Returns a store that rewrites each append. */
    public static SequenceStore appends(SequenceStore right, UnaryOperator<AppendRequest> rewriting) {
        return new ForwardingSequenceStore(right) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return store.append(sequence, requests.stream().map(rewriting).toList(), commit);
            }
        };
    }

    /** Returns a store whose adds have the tokens that {@code key} makes of theirs. */
    public static CounterStore tokensOfAdds(CounterStore right, UnaryOperator<String> key) {
        return adds(right, request -> new AddRequest(request.name(), request.delta(), rewritten(request.token(), key)));
    }

    /** Returns a store whose appends have the tokens that {@code key} makes of theirs. */
    public static SequenceStore tokensOfAppends(SequenceStore right, UnaryOperator<String> key) {
        return appends(
                right,
                request -> new AppendRequest(
                        request.change(), request.subject(), request.fields(), rewritten(request.token(), key)));
    }

    private static @Nullable IdempotencyToken rewritten(@Nullable IdempotencyToken token, UnaryOperator<String> key) {
        return token == null ? null : IdempotencyToken.of(key.apply(token.value()));
    }
}
