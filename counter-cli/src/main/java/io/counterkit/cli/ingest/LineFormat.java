package io.counterkit.cli.ingest;

/** How an event is written in a line. */
interface LineFormat {
    /**
     * Reads the event of the line in {@code bytes} from {@code from} to before {@code to}, which is not empty.
     *
     * @throws IllegalArgumentException if there is none; the message says what is wrong with the line
     */
    void read(byte[] bytes, int from, int to, Event event);
}
