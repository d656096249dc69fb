package io.counterkit.examples.likes;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Drops replies to adds and appends of a backend while a {@link Breakage} says so: the change is applied. Thread-safe.
 */
final class LossyBackend {
    private final Breakage breakage;

    private LossyBackend(Breakage breakage) {
        this.breakage = breakage;
    }

    /** Returns a backend that forwards to {@code backend} and loses replies. */
    static CounterBackend over(CounterBackend backend, Breakage breakage) {
        LossyBackend lossy = new LossyBackend(breakage);
        return new ForwardingCounterBackend(
                backend, lossy.counters(backend.counters()), lossy.sequences(backend.sequences()));
    }

    private CounterStore counters(CounterStore counters) {
        return new ForwardingCounterStore(counters) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return send(requests.size(), commit, () -> store.add(requests, commit));
            }
        };
    }

    private SequenceStore sequences(SequenceStore sequences) {
        return new ForwardingSequenceStore(sequences) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return send(0, commit, () -> store.append(sequence, requests, commit));
            }
        };
    }

    private <T> CompletableFuture<T> send(int likes, Commit commit, Supplier<CompletableFuture<T>> change) {
        if (!breakage.takeTurn()) {
            return change.get();
        }
        // The caller needs the token to resolve the outcome.
        IdempotencyToken unused = commit.token();
        return change.get().thenCompose(reply -> {
            breakage.dropped(likes);
            return CompletableFuture.failedFuture(new IOException("the reply was dropped"));
        });
    }
}
