/** Counters that are shared with other software, and what it writes. Start at {@code PublishedRecipeTest}. */
@NullMarked
package io.counterkit.firestore.foreign;

import org.jspecify.annotations.NullMarked;
