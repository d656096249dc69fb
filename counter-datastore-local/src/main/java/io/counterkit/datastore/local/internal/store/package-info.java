/**
 * App Engine's local store, with atomic commits and its memory in a file. Start at {@link
 * io.counterkit.datastore.local.internal.store.AtomicCommits}, which each call passes.
 */
@NullMarked
package io.counterkit.datastore.local.internal.store;

import org.jspecify.annotations.NullMarked;
