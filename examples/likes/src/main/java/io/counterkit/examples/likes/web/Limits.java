package io.counterkit.examples.likes.web;

import java.time.Duration;

/**
 * What one client can take from the others, at most.
 *
 * @param connections how many are open at a time; the next one waits
 * @param viewers how many of them follow the totals; the next one is refused
 * @param threads how many requests are worked on at a time
 * @param silence how long a connection may be silent
 * @param bodyBytes how long a form may be
 * @param bodyTime how long a form may take to arrive
 */
record Limits(int connections, int viewers, int threads, Duration silence, int bodyBytes, Duration bodyTime) {
    /** Half of the connections are left for requests, and a viewer needs no thread. */
    static final Limits DEFAULT = new Limits(2000, 1000, 64, Duration.ofSeconds(30), 8192, Duration.ofSeconds(10));
}
