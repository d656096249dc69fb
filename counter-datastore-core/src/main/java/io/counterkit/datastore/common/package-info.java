/**
 * The part of the backends on a Datastore that does not depend on their client, as applications use it. Start at {@link
 * io.counterkit.datastore.common.DatastoreBackend}.
 */
@NullMarked
package io.counterkit.datastore.common;

import org.jspecify.annotations.NullMarked;
