/**
 * The rules on the store as a whole: names, what is kept apart, sizes, and the lifecycle. Start at
 * {@link io.counterkit.tck.chapter.store.NamesChapter}.
 */
@NullMarked
package io.counterkit.tck.chapter.store;

import org.jspecify.annotations.NullMarked;
