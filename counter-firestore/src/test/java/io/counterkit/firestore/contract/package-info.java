/** The contract, or the chapters that a configuration can change. Start at {@code FirestoreContractTest}. */
@NullMarked
package io.counterkit.firestore.contract;

import org.jspecify.annotations.NullMarked;
