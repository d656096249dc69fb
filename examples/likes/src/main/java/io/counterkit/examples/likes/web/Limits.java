package io.counterkit.examples.likes.web;

import java.time.Duration;

/**
 * Bounds what clients can take from each other.
 *
 * @param connections the most open connections; further ones wait
 * @param viewers the most of them that receive the live totals; further ones are refused
 * @param threads the most requests that are served at the same time
 * @param silence how long a connection may be idle
 * @param bodyBytes the size of a form
 * @param bodyTime how long a form may take to arrive
 */
record Limits(int connections, int viewers, int threads, Duration silence, int bodyBytes, Duration bodyTime) {
    /** Leaves half of the connections for requests. A viewer needs no thread. */
    static final Limits DEFAULT = new Limits(2000, 1000, 64, Duration.ofSeconds(30), 8192, Duration.ofSeconds(10));
}
