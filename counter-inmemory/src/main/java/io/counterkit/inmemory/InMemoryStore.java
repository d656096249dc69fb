package io.counterkit.inmemory;

import io.counterkit.inmemory.internal.store.CounterTable;
import io.counterkit.inmemory.internal.store.SequenceTable;
import io.counterkit.inmemory.internal.store.TokenTable;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Replaces a remote store: holds the counters, sequences and tokens that one or several {@link InMemoryBackend}s share.
 * A test inspects it with {@link #dump()} and injects faults with {@link #faults()}. Thread-safe.
 */
public final class InMemoryStore {
    private final InMemoryOptions options;
    private final Faults faults = new Faults();
    private final TokenTable tokens;
    private final CounterTable counters;
    private final SequenceTable sequences;

    private InMemoryStore(InMemoryOptions options) {
        this.options = options;
        InstantSource clock = () -> options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        tokens = new TokenTable(clock, options.retention(), options.batches().direct());
        counters = new CounterTable(tokens, clock);
        sequences = new SequenceTable(tokens, clock);
    }

    /** Creates an empty store with {@link InMemoryOptions#defaults()}. */
    public static InMemoryStore create() {
        return create(InMemoryOptions.defaults());
    }

    /** Creates an empty store. */
    public static InMemoryStore create(InMemoryOptions options) {
        return new InMemoryStore(options);
    }

    /** Returns the faults of the calls to this store. */
    public Faults faults() {
        return faults;
    }

    /** Returns a copy of everything in the store. While others write, it is not a snapshot of one moment. */
    public StoreDump dump() {
        return new StoreDump(counters.totals(), sequences.entries(), tokens.size());
    }

    InMemoryOptions options() {
        return options;
    }

    CounterTable counters() {
        return counters;
    }

    SequenceTable sequences() {
        return sequences;
    }

    TokenTable tokens() {
        return tokens;
    }
}
