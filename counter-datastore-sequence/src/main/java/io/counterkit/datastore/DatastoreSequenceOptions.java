package io.counterkit.datastore;

import com.google.appengine.api.NamespaceManager;
import io.counterkit.datastore.internal.store.ChainOptions;
import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The options of the Datastore backend. Immutable and thread-safe; the builder is neither. */
public final class DatastoreSequenceOptions {
    private static final DatastoreSequenceOptions DEFAULTS = builder().build();

    private final @Nullable String namespace;
    private final ChainOptions chains;

    private DatastoreSequenceOptions(Builder builder) {
        namespace = builder.namespace;
        chains = builder.chains;
    }

    /** Returns the default of every option, as its builder method states it. */
    public static DatastoreSequenceOptions defaults() {
        return DEFAULTS;
    }

    /** Creates a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the namespace of everything that is stored; null for that of the thread that creates the backend. */
    public @Nullable String namespace() {
        return namespace;
    }

    /** Returns the prefix of the kinds of all stored entities. */
    public String kindPrefix() {
        return chains.kindPrefix();
    }

    /** Returns how long a token is remembered. */
    public Duration retention() {
        return chains.retention();
    }

    /** Returns the pauses between retries. */
    public Backoff pauses() {
        return chains.pauses();
    }

    /** Returns the maximum number of attempts of one operation. */
    public int maxAttempts() {
        return chains.maxAttempts();
    }

    /** Returns the maximum number of entity groups of one transaction. */
    public int entityGroups() {
        return chains.mostGroups();
    }

    /** Returns the clock. */
    public InstantSource clock() {
        return chains.clock();
    }

    ChainOptions chains() {
        return chains;
    }

    /** Collects options. Each method checks its value at once. */
    public static final class Builder {
        private @Nullable String namespace;
        private ChainOptions chains = ChainOptions.defaults();

        private Builder() {}

        /**
         * Sets the namespace of everything that is stored, empty for the default namespace. By default the backend uses
         * the namespace that is current for the thread that creates it, or the default namespace if that thread has no
         * environment. It keeps this namespace, even if other namespaces are current for the threads that use it:
         * create a backend for each tenant.
         */
        public Builder namespace(String namespace) {
            NamespaceManager.validateNamespace(namespace);
            this.namespace = namespace;
            return this;
        }

        /**
         * Sets the prefix of the kinds of all stored entities: 1 to 100 letters, digits and underscores, a letter
         * first. Default {@code CounterKit}. Backends with different prefixes share no counters or sequences.
         */
        public Builder kindPrefix(String kindPrefix) {
            chains = chains.withKindPrefix(kindPrefix);
            return this;
        }

        /**
         * Sets how long a token is remembered at least, 1 hour to 3,650 days; {@link DatastoreSequenceBackend#purgeTokens}
         * removes older tokens. Default 24 hours, as with every backend.
         */
        public Builder retention(Duration retention) {
            chains = chains.withRetention(retention);
            return this;
        }

        /**
         * Sets the pause before the first retry and the longest pause. Pauses double in between, and each is shortened at
         * random by up to a half. Default 5 ms and 200 ms: from a fraction of one commit of another writer to some tens of
         * them. After contention a pause takes at least as long as the failed attempt, up to a quarter of the time left.
         */
        public Builder pauses(Duration first, Duration longest) {
            chains = chains.withPauses(first, longest);
            return this;
        }

        /**
         * Sets the maximum number of attempts of one operation, 1 or more. Default 1,000: the deadline usually passes
         * first.
         */
        public Builder maxAttempts(int maxAttempts) {
            chains = chains.withMaxAttempts(maxAttempts);
            return this;
        }

        /**
         * Sets the maximum number of entity groups of one transaction, 25 to 500: each entry and each token is one.
         * Default 25, which every kind of Datastore accepts. A Firestore in Datastore mode has no such limit, unless
         * its concurrency mode is "optimistic with entity groups": there a higher number makes larger batches where
         * many threads use one name.
         */
        public Builder entityGroups(int entityGroups) {
            chains = chains.withMostGroups(entityGroups);
            return this;
        }

        /**
         * Sets the clock for entries, readings and the retention of tokens. Default the system's clock. The retention does not
         * depend on the clocks of the processes that write: see {@link DatastoreSequenceBackend#purgeTokens}.
         */
        public Builder clock(InstantSource clock) {
            chains = chains.withClock(clock);
            return this;
        }

        /** Creates the options. */
        public DatastoreSequenceOptions build() {
            return new DatastoreSequenceOptions(this);
        }
    }
}
