/**
 * {@code counter ingest}: counts the events of a stream. Start at {@link io.counterkit.cli.ingest.IngestCommand}; the
 * way of a line is {@code ChunkReader}, {@code LineSplitter}, {@code LineFormat}, {@code NameTable}, {@code InFlight}.
 */
@NullMarked
package io.counterkit.cli.ingest;

import org.jspecify.annotations.NullMarked;
