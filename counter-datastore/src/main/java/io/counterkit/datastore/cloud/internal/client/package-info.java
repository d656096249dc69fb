/**
 * Google's client, as the algorithm of {@code counter-datastore-core} needs it: calls, types and errors. Start at
 * {@link io.counterkit.datastore.cloud.internal.client.CloudClient}.
 */
@NullMarked
package io.counterkit.datastore.cloud.internal.client;

import org.jspecify.annotations.NullMarked;
