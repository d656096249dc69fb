package io.counterkit.cli.soak;

import java.util.concurrent.atomic.LongAdder;

/** How often what happened, for the report. Thread-safe. */
final class Happened {
    /** Operations that workers began. */
    final LongAdder operations = new LongAdder();

    final LongAdder adds = new LongAdder();
    final LongAdder appends = new LongAdder();
    final LongAdder reads = new LongAdder();

    /** Changes and reads that failed and changed nothing. */
    final LongAdder notApplied = new LongAdder();

    /** Changes that the store refused because they do not fit. */
    final LongAdder refused = new LongAdder();

    /** Changes whose outcome was unknown at first. */
    final LongAdder unknown = new LongAdder();

    /** Those of them that were found to have been applied. */
    final LongAdder unknownApplied = new LongAdder();
}
