/**
 * Tests of the published artifacts: {@link io.counterkit.verification.published.PublishedPomsTest} reads the poms,
 * {@link io.counterkit.verification.published.ForeignBuildsTest} builds independent projects with them.
 */
@NullMarked
package io.counterkit.verification.published;

import org.jspecify.annotations.NullMarked;
