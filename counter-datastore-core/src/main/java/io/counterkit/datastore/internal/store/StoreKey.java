package io.counterkit.datastore.internal.store;

/** The key of a root entity. The {@link StoreClient} determines the namespace. */
public record StoreKey(String kind, String name) {
    /** Returns the key as App Engine's API prints it. */
    @Override
    public String toString() {
        return kind + "(\"" + name + "\")";
    }
}
