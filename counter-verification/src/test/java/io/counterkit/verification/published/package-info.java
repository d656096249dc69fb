/**
 * What is published, seen by those who use it: {@link io.counterkit.verification.published.PublishedPomsTest} reads the
 * poms, {@link io.counterkit.verification.published.ForeignBuildsTest} builds projects that have nothing to do with this
 * build.
 */
@NullMarked
package io.counterkit.verification.published;

import org.jspecify.annotations.NullMarked;
