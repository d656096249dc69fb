/**
 * Every kind of read, and its result after a change. Start at {@link io.counterkit.tck.internal.view.View}.
 */
@NullMarked
package io.counterkit.tck.internal.view;

import org.jspecify.annotations.NullMarked;
