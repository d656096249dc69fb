package io.counterkit.examples.likes.web;

import java.time.Duration;

/**
 * The resources that clients can use.
 *
 * @param connections the maximum number of open connections; further ones wait
 * @param viewers the maximum number of connections that receive the live totals; further ones are refused
 * @param threads the maximum number of requests that are served at the same time
 * @param silence how long a connection may be idle
 * @param bodyBytes the maximum size of a form
 * @param bodyTime the time within which a form must arrive
 */
record ServerLimits(int connections, int viewers, int threads, Duration silence, int bodyBytes, Duration bodyTime) {
    /** Leaves half of the connections for requests. A viewer needs no thread. */
    static final ServerLimits DEFAULT =
            new ServerLimits(2000, 1000, 64, Duration.ofSeconds(30), 8192, Duration.ofSeconds(10));
}
