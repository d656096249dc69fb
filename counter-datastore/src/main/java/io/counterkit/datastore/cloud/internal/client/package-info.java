/**
 * Adapts Google's client to the interface of {@code counter-datastore-core}: calls, types and errors. Start at {@link
 * io.counterkit.datastore.cloud.internal.client.CloudClient}.
 */
@NullMarked
package io.counterkit.datastore.cloud.internal.client;

import org.jspecify.annotations.NullMarked;
