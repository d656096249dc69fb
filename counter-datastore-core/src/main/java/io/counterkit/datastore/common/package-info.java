/**
 * What applications use of both backends on a Datastore, whatever their client. Start at
 * {@link io.counterkit.datastore.common.DatastoreBackend}.
 */
@NullMarked
package io.counterkit.datastore.common;

import org.jspecify.annotations.NullMarked;
