/** Models, histories and similar texts for the chapters. Start at {@link io.counterkit.tck.internal.model.ModelRun}. */
@NullMarked
package io.counterkit.tck.internal.model;

import org.jspecify.annotations.NullMarked;
