package io.counterkit.cli.ingest;

/** What a line says: which of its bytes name the counter, and what to add. Reused for every line. */
final class Event {
    int from;
    int to;
    long delta;

    void set(int nameFrom, int nameTo, long toAdd) {
        from = nameFrom;
        to = nameTo;
        delta = toAdd;
    }
}
