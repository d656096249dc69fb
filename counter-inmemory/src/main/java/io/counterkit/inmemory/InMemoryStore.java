package io.counterkit.inmemory;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What one or several {@link InMemoryBackend}s share, in the place of a remote store: all counters, sequences and
 * tokens. A test looks into it with {@link #dump()} and disturbs it with {@link #faults()}. Thread-safe.
 */
public final class InMemoryStore {
    private static final NumberRange ALL = new NumberRange(1, Long.MAX_VALUE);

    private final InMemoryOptions options;
    private final Faults faults = new Faults();
    private final CounterTable counters = new CounterTable();
    private final ConcurrentMap<String, Chain> chains = new ConcurrentHashMap<>();
    private final NameIndex sequenceNames = new NameIndex(() -> chains.values().forEach(Chain::addName));
    private final TokenTable tokens;

    private InMemoryStore(InMemoryOptions options) {
        this.options = options;
        this.tokens = new TokenTable(options.clock(), options.retention());
    }

    /** An empty store with {@link InMemoryOptions#defaults()}. */
    public static InMemoryStore create() {
        return create(InMemoryOptions.defaults());
    }

    /** An empty store. */
    public static InMemoryStore create(InMemoryOptions options) {
        return new InMemoryStore(options);
    }

    /** What goes wrong on the way to this store. */
    public Faults faults() {
        return faults;
    }

    /** A copy of everything in the store, for assertions. Not one moment for all names while others write. */
    public StoreDump dump() {
        SortedMap<String, List<Entry>> sequences = new TreeMap<>();
        tails().keySet().forEach(name -> sequences.put(name, chain(name).read(ALL)));
        return new StoreDump(counters.totals(), sequences, tokens.size());
    }

    InMemoryOptions options() {
        return options;
    }

    CounterTable counters() {
        return counters;
    }

    TokenTable tokens() {
        return tokens;
    }

    Chain chain(String sequence) {
        return chains.computeIfAbsent(sequence, name -> new Chain(name, sequenceNames));
    }

    @Nullable Chain existingChain(String sequence) {
        return chains.get(sequence);
    }

    /** The names of the sequences that have an entry or a seal. */
    NameIndex sequenceNames() {
        return sequenceNames;
    }

    private SortedMap<String, Tail> tails() {
        SortedMap<String, Tail> tails = new TreeMap<>();
        chains.forEach((name, chain) -> tails.put(name, chain.tail()));
        tails.values().removeIf(Tail.EMPTY::equals);
        return tails;
    }

    Instant now() {
        return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
