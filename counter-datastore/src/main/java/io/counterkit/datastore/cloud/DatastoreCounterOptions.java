package io.counterkit.datastore.cloud;

import io.counterkit.datastore.common.DatastoreBackendOptions;
import io.counterkit.spi.Limits;

/** The options of the backend on Google Cloud Datastore. Immutable and thread-safe; the builder is neither. */
public final class DatastoreCounterOptions extends DatastoreBackendOptions {
    private static final DatastoreCounterOptions DEFAULTS = builder().build();

    private final String namespace;
    private final int threads;

    private DatastoreCounterOptions(Builder builder) {
        super(builder);
        namespace = builder.namespace;
        threads = builder.threads;
    }

    /** Returns the default options, which the methods of the builder document. */
    public static DatastoreCounterOptions defaults() {
        return DEFAULTS;
    }

    /** Creates a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the namespace of all stored data. */
    public String namespace() {
        return namespace;
    }

    /** Returns how many operations run at once. */
    public int threads() {
        return threads;
    }

    /** Collects options. Each method throws {@link IllegalArgumentException} if its value is not valid. */
    public static final class Builder extends DatastoreBackendOptions.Builder<Builder> {
        private String namespace = "";
        private int threads = 32;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Sets the namespace of all stored data: up to 100 letters, digits, dots, underscores and hyphens. Default
         * empty, the default namespace, whatever the given client's own namespace is.
         */
        public Builder namespace(String namespace) {
            if (!namespace.matches("[0-9A-Za-z._-]{0,100}")) {
                throw new IllegalArgumentException(
                        "namespace '" + namespace + "': use up to 100 letters, digits, dots, underscores and hyphens");
            }
            this.namespace = namespace;
            return this;
        }

        /**
         * Sets how many operations run at once, 1 to 1,000, each on its own thread and connection. Further ones wait
         * for a thread; requests for one name are combined and use one. A thread ends when it has been idle for 10
         * seconds. Default 32.
         */
        public Builder threads(int threads) {
            this.threads = Limits.checkBetween("threads", threads, 1, 1_000);
            return this;
        }

        /** Creates the options. */
        public DatastoreCounterOptions build() {
            return new DatastoreCounterOptions(this);
        }
    }
}
