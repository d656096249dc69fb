package io.counterkit.verification.broken.outcome;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Chapter 7, continued: batches whose adds with tokens are sent one by one after the others. */
final class PartedBatchFlaws {
    private PartedBatchFlaws() {}

    static List<Flaw> all() {
        return List.of(
                flaw("reports all of a batch as not applied if a later part of it fails", parts -> parts.failure),
                flaw("sends all of a batch again under another token if a later part fails", parts -> parts.again()),
                flaw("asks for all of a batch again if a later part fails", parts -> parts.retry()));
    }

    private interface Recovery {
        CompletableFuture<List<Result<Void>>> answer(Failed failed);
    }

    private static Flaw flaw(String does, Recovery recovery) {
        return Flaw.that(does, "7.11").batched().counters(store -> new SendsParts(store, recovery));
    }

    /** A batch of which a part has failed. */
    private static final class Failed {
        private final SendsParts by;
        private final List<AddRequest> requests;
        private final Commit commit;
        private final CompletableFuture<List<Result<Void>>> failure;

        Failed(SendsParts by, List<AddRequest> requests, Commit commit, CounterException failure) {
            this.by = by;
            this.requests = requests;
            this.commit = commit;
            this.failure = CompletableFuture.failedFuture(failure);
        }

        CompletableFuture<List<Result<Void>>> again() {
            return by.send(requests, Commits.another(commit));
        }

        CompletableFuture<List<Result<Void>>> retry() {
            return Futures.done(Collections.nCopies(requests.size(), Result.retry()));
        }
    }

    private static final class SendsParts extends ForwardingCounterStore {
        private final Recovery recovery;

        SendsParts(CounterStore store, Recovery recovery) {
            super(store);
            this.recovery = recovery;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Void>>> sent = send(requests, commit);
            return requests.size() == 1
                    ? sent
                    : Futures.recover(
                            sent,
                            NotAppliedException.class,
                            failure -> recovery.answer(new Failed(this, requests, commit, failure)));
        }

        private CompletableFuture<List<Result<Void>>> send(List<AddRequest> requests, Commit commit) {
            List<List<AddRequest>> parts = new ArrayList<>();
            parts.add(requests.stream().filter(each -> each.token() == null).toList());
            requests.stream().filter(each -> each.token() != null).map(List::of).forEach(parts::add);
            IdentityHashMap<AddRequest, Result<Void>> results = new IdentityHashMap<>();
            CompletableFuture<Void> sent = Futures.done(null);
            for (List<AddRequest> part : parts) {
                if (!part.isEmpty()) {
                    sent = sent.thenCompose(done -> store.add(part, commit)).thenAccept(some -> {
                        for (int i = 0; i < part.size(); i++) {
                            results.put(part.get(i), some.get(i));
                        }
                    });
                }
            }
            return sent.thenApply(done -> requests.stream().map(results::get).toList());
        }
    }
}
