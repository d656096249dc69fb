package io.counterkit.inmemory;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The sequences of a store in memory. */
final class InMemorySequences implements SequenceStore {
    private final InMemoryStore store;
    private final TokenTable tokens;
    private final FaultGate line;

    InMemorySequences(InMemoryStore store, FaultGate line) {
        this.store = store;
        this.tokens = store.tokens();
        this.line = line;
    }

    @Override
    public BatchLimits limits() {
        return store.options().batches();
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        Chain chain = store.chain(sequence);
        return line.change(List.of(sequence), commit, unasked -> {
            List<Result<Entry>> results = new ArrayList<>();
            for (AppendRequest request : requests) {
                results.add(append(chain, request, tokenOf(request, results.size(), commit, unasked)));
            }
            return results;
        });
    }

    /** The token to remember; null where nobody will ask. */
    private static @Nullable IdempotencyToken tokenOf(
            AppendRequest request, int index, Commit commit, boolean unasked) {
        if (request.token() != null || unasked) {
            return request.token();
        }
        return TokenTable.ofRequest(commit.token(), index);
    }

    private Result<Entry> append(Chain chain, AppendRequest request, @Nullable IdempotencyToken token) {
        try {
            return Result.of(token == null ? chain.append(request, store.now()) : appendOnce(chain, request, token));
        } catch (CounterException e) {
            return Result.failed(e);
        }
    }

    private Entry appendOnce(Chain chain, AppendRequest request, IdempotencyToken token) {
        Resolution decided = tokens.claim(
                        token,
                        () -> new Resolution.Appended(
                                chain.name(), chain.append(request, store.now()).number()))
                .resolution();
        if (decided instanceof Resolution.Appended appended
                && appended.sequence().equals(chain.name())) {
            Entry entry = chain.read(new NumberRange(appended.number(), appended.number()))
                    .get(0);
            if (entry.change() == request.change() && Objects.equals(entry.subject(), request.subject())) {
                return entry;
            }
        }
        throw new TokenRefusedException("append to '" + chain.name() + "': token " + token + " stands for " + decided);
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return line.read(List.of(sequence), () -> {
            Chain chain = store.existingChain(sequence);
            return chain == null ? Tail.EMPTY : chain.tail();
        });
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return line.read(List.of(sequence), () -> {
            Chain chain = store.existingChain(sequence);
            return chain == null ? List.of() : chain.read(range);
        });
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        Chain chain = store.chain(sequence);
        return line.change(List.of(sequence), commit, unasked -> {
            boolean exists = chain.holds(number);
            if (exists) {
                tokens.carryOut(commit, sequence, unasked, () -> chain.erase(number));
            }
            return exists;
        });
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return line.change(List.of(sequence), commit, unasked -> {
            tokens.carryOut(
                    commit, sequence, unasked, () -> store.chain(sequence).seal(forward, store.now()));
            return Objects.requireNonNull(store.chain(sequence).tail().seal());
        });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return line.read(List.of(), () -> store.sequenceNames().page(prefix, cursor, limit));
    }
}
