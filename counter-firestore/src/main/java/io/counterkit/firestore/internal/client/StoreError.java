package io.counterkit.firestore.internal.client;

/** What an error of the store says about a change. */
public enum StoreError {
    /** A document that was to be created is there already: this attempt was not applied, an earlier one may have been. */
    EXISTS,
    /** A document that was to be updated is not there: this attempt was not applied. */
    MISSING,
    /** Another writer was in the way; trying again helps. */
    CONTENTION,
    /** The reply is lost, or the request; trying again helps. */
    LOST,
    /** The store does not want the request; trying again does not help. */
    REFUSED
}
