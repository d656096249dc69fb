/**
 * What the chapters compare a backend with: models, histories and texts that are alike. Start at
 * {@link io.counterkit.tck.internal.model.ModelRun}.
 */
@NullMarked
package io.counterkit.tck.internal.model;

import org.jspecify.annotations.NullMarked;
