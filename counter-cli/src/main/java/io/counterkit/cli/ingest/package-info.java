/**
 * {@code counter ingest}: counts the lines of a stream, in parts. Start at
 * {@link io.counterkit.cli.ingest.IngestCommand}, and then at {@code Ingest}.
 */
@NullMarked
package io.counterkit.cli.ingest;

import org.jspecify.annotations.NullMarked;
