/**
 * The rules on sealing names and importing them into another store. Start at
 * {@link io.counterkit.tck.chapter.migration.SealingChapter}.
 */
@NullMarked
package io.counterkit.tck.chapter.migration;

import org.jspecify.annotations.NullMarked;
