package io.counterkit.inmemory.internal.store;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The sequences: the methods of {@link SequenceStore}, synchronous. Thread-safe. */
public final class SequenceTable {
    private final NameTable<Chain> chains = new NameTable<>(Chain::new);
    private final TokenTable tokens;
    private final InstantSource clock;

    public SequenceTable(TokenTable tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    public NameTable<Chain> names() {
        return chains;
    }

    public List<Result<Entry>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        Chain chain = chains.get(sequence);
        boolean isResolvable = tokens.isResolvable(commit);
        List<Result<Entry>> results = new ArrayList<>();
        for (AppendRequest request : requests) {
            IdempotencyToken token = request.token();
            if (token == null && isResolvable) {
                token = TokenTable.ofRequest(commit.token(), results.size());
            }
            results.add(append(chain, request, token));
        }
        return results;
    }

    private Result<Entry> append(Chain chain, AppendRequest request, @Nullable IdempotencyToken token) {
        try {
            return Result.of(
                    token == null ? chain.append(request, clock.instant()) : appendOnce(chain, request, token));
        } catch (CounterException e) {
            return Result.failed(e);
        }
    }

    private Entry appendOnce(Chain chain, AppendRequest request, IdempotencyToken token) {
        AtomicReference<@Nullable Entry> own = new AtomicReference<>();
        Resolution resolution = tokens.claim(token, () -> {
            Entry entry = chain.append(request, clock.instant());
            own.set(entry);
            return new Resolution.Appended(chain.name, entry.number());
        });
        Entry added = own.get();
        if (added != null) {
            return added; // as it was appended: it may be erased by now
        }
        if (resolution instanceof Resolution.Appended appended
                && appended.sequence().equals(chain.name)) {
            Entry entry = chain.read(new NumberRange(appended.number(), appended.number()))
                    .get(0);
            if (request.matches(entry)) {
                return entry;
            }
        }
        throw new TokenRefusedException("append to '" + chain.name + "'", token, resolution);
    }

    public Listening listen(String sequence, Runnable changed) {
        return chains.get(sequence).listen(changed);
    }

    public Tail tail(String sequence) {
        Chain chain = chains.find(sequence);
        return chain == null ? Tail.EMPTY : chain.tail();
    }

    public List<Entry> read(String sequence, NumberRange range) {
        Chain chain = chains.find(sequence);
        return chain == null ? List.of() : chain.read(range);
    }

    public boolean erase(String sequence, long number, Commit commit) {
        Chain chain = chains.find(sequence);
        if (chain == null || !chain.contains(number)) {
            return false;
        }
        tokens.applyOnce(commit, sequence, () -> chain.erase(number));
        return true;
    }

    public Seal seal(String sequence, String forward, Commit commit) {
        Chain chain = chains.get(sequence);
        tokens.applyOnce(commit, sequence, () -> chain.seal(forward, clock.instant()));
        return Objects.requireNonNull(chain.seal());
    }

    /** Returns the entries of all sequences that have an entry or a seal. */
    public SortedMap<String, List<Entry>> entries() {
        SortedMap<String, List<Entry>> entries = new TreeMap<>();
        chains.names("").forEach(name -> entries.put(name, read(name, new NumberRange(1, Long.MAX_VALUE))));
        return entries;
    }
}
