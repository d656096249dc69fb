package io.counterkit.datastore;

import com.google.appengine.api.NamespaceManager;
import io.counterkit.datastore.common.DatastoreBackendOptions;
import org.jspecify.annotations.Nullable;

/** The options of the backend on App Engine's Datastore API. Immutable and thread-safe; the builder is neither. */
public final class DatastoreSequenceOptions extends DatastoreBackendOptions {
    private static final DatastoreSequenceOptions DEFAULTS = builder().build();

    private final @Nullable String namespace;

    private DatastoreSequenceOptions(Builder builder) {
        super(builder);
        namespace = builder.namespace;
    }

    /** Returns the default options, which the methods of the builder document. */
    public static DatastoreSequenceOptions defaults() {
        return DEFAULTS;
    }

    /** Creates a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the namespace of all stored data; null for the namespace of the thread that creates the backend. */
    public @Nullable String namespace() {
        return namespace;
    }

    /** Collects options. Each method throws {@link IllegalArgumentException} if its value is not valid. */
    public static final class Builder extends DatastoreBackendOptions.Builder<Builder> {
        private @Nullable String namespace;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Sets the namespace of all stored data; empty for the default namespace. By default the backend uses the
         * namespace that is current for the thread that creates it, or the default namespace if that thread has no
         * environment. It keeps this namespace, even if other namespaces are current for the threads that use it:
         * create a backend for each tenant.
         */
        public Builder namespace(String namespace) {
            NamespaceManager.validateNamespace(namespace);
            this.namespace = namespace;
            return this;
        }

        /** Creates the options. */
        public DatastoreSequenceOptions build() {
            return new DatastoreSequenceOptions(this);
        }
    }
}
