/**
 * The side of the algorithm that knows Google's client: its calls, its types, and what its errors mean. Start at {@link
 * io.counterkit.datastore.cloud.internal.client.CloudClient}.
 */
@NullMarked
package io.counterkit.datastore.cloud.internal.client;

import org.jspecify.annotations.NullMarked;
