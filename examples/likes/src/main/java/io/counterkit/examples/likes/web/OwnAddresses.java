package io.counterkit.examples.likes.web;

import java.util.Locale;
import java.util.Set;

/**
 * The addresses that the server serves on. A page of another site can have a name of its own lead here, and would then be
 * of the same origin; but its requests carry that name.
 */
final class OwnAddresses {
    static final String HOST = "127.0.0.1";

    private final Set<String> authorities;

    OwnAddresses(int port) {
        String suffix = port == 80 ? "" : ":" + port;
        authorities = Set.of(HOST + suffix, "localhost" + suffix);
    }

    /** Whether a {@code Host} header names one of them. */
    boolean contain(String host) {
        return authorities.contains(host.toLowerCase(Locale.ROOT));
    }

    /** Whether an {@code Origin} header is that of a page of this server; one without it is of no page. */
    boolean allow(String origin, String host) {
        return origin.isEmpty() || origin.equalsIgnoreCase("http://" + host);
    }
}
