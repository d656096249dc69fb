package io.counterkit.datastore.internal.store;

/** The key of a root entity. Its namespace is that of the {@link StoreClient}. */
public record StoreKey(String kind, String name) {
    /** Returns the key as App Engine's API prints it. */
    @Override
    public String toString() {
        return kind + "(\"" + name + "\")";
    }
}
