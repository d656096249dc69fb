package io.counterkit.firestore.internal.client;

/** The meaning of an error of the store for a change. */
public enum StoreError {
    /** A document to create exists already. This attempt was not applied; an earlier one may have been. */
    EXISTS,
    /** A document to update does not exist. This attempt was not applied. */
    MISSING,
    /** Another writer held the lock. A retry helps. */
    CONTENTION,
    /** The request or its reply was lost. A retry helps. */
    LOST,
    /** The store does not accept the request. A retry does not help. */
    REFUSED
}
