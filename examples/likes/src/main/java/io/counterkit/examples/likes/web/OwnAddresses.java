package io.counterkit.examples.likes.web;

import java.util.Locale;
import java.util.Set;

/**
 * The addresses of this server. Another site can point its own host name to this server, so that its pages have the
 * same origin; but their requests carry that host name.
 */
final class OwnAddresses {
    static final String HOST = "127.0.0.1";

    private final Set<String> authorities;

    OwnAddresses(int port) {
        String suffix = port == 80 ? "" : ":" + port;
        authorities = Set.of(HOST + suffix, "localhost" + suffix);
    }

    /** Returns whether a {@code Host} header names one of them. */
    boolean contains(String host) {
        return authorities.contains(host.toLowerCase(Locale.ROOT));
    }

    /** Returns whether an {@code Origin} header is absent or names a page of this server. */
    boolean allowsOrigin(String origin, String host) {
        return origin.isEmpty() || origin.equalsIgnoreCase("http://" + host);
    }
}
