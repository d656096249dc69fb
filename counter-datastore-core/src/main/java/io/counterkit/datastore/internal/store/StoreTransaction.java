package io.counterkit.datastore.internal.store;

/** A transaction of a client, which passes it explicitly to each of its calls. */
public interface StoreTransaction {}
