package io.counterkit.verification.broken.size;

import io.counterkit.Change;
import io.counterkit.SealedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapters 2 and 10, continued: batches of which only the first part is compared with what is stored. */
public final class FirstChunkFlaws {
    private static final int CHUNK = 10;

    private FirstChunkFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("looks for the seals of the first ten adds of a batch only", "2.9")
                        .batched()
                        .backend(FirstChunkFlaws::missingSeals),
                Flaw.that("looks for the subjects of the first ten appends of a batch only", "10.24")
                        .batched()
                        .backend(ConcurrentHashMap::newKeySet, FirstChunkFlaws::missingSubjects));
    }

    private static CounterBackend missingSeals(CounterBackend right) {
        return Intercepted.of(
                right,
                call -> call.method().equals("CounterStore.add")
                        ? call.<List<Result<Void>>>passOn().thenApply(FirstChunkFlaws::withoutLaterSeals)
                        : call.pass());
    }

    private static List<Result<Void>> withoutLaterSeals(List<Result<Void>> results) {
        List<Result<Void>> changed = new ArrayList<>(results);
        for (int i = CHUNK; i < changed.size(); i++) {
            if (changed.get(i).failure() instanceof SealedException) {
                changed.set(i, Result.applied());
            }
        }
        return changed;
    }

    /** Appends an entry that does not fit as one that does. */
    private static CounterBackend missingSubjects(CounterBackend right, Set<Object> added) {
        return Intercepted.of(right, call -> {
            if (!call.method().equals("SequenceStore.append")) {
                return call.pass();
            }
            List<AppendRequest> requests = new ArrayList<>(call.<List<AppendRequest>>argument(1));
            for (int i = 0; i < requests.size(); i++) {
                AppendRequest request = requests.get(i);
                if (request.subject() != null && request.change() == Change.ADDED) {
                    boolean isNew = added.add(List.of(call.argument(0), request.subject()));
                    if (!isNew && i >= CHUNK) {
                        requests.set(
                                i,
                                new AppendRequest(
                                        Change.UPDATED, request.subject(), request.fields(), request.token()));
                    }
                }
            }
            CompletableFuture<?> answer = call.passWith(1, requests);
            return answer;
        });
    }
}
