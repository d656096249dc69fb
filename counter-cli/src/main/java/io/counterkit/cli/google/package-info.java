/**
 * What the backends on Google Cloud share: their options, the credentials of this machine, and what a refusal means. Start at
 * {@link io.counterkit.cli.google.GoogleOptions}, which loads no class of a client.
 */
@NullMarked
package io.counterkit.cli.google;

import org.jspecify.annotations.NullMarked;
