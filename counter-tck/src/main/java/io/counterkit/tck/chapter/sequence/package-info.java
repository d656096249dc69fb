/**
 * The rules on sequences: numbers, fields of entries, and following. Start at
 * {@link io.counterkit.tck.chapter.sequence.SequencesChapter}.
 */
@NullMarked
package io.counterkit.tck.chapter.sequence;

import org.jspecify.annotations.NullMarked;
