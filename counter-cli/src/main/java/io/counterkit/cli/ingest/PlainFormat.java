package io.counterkit.cli.ingest;

import io.counterkit.cli.console.Excerpt;
import java.nio.charset.StandardCharsets;

/** {@code name}, or {@code name<TAB>delta}. */
final class PlainFormat implements LineFormat {
    @Override
    public void read(byte[] bytes, int from, int to, Event event) {
        int tab = from;
        while (tab < to && bytes[tab] != '\t') {
            tab++;
        }
        event.set(from, tab, tab == to ? 1 : delta(bytes, tab + 1, to));
    }

    private static long delta(byte[] bytes, int from, int to) {
        try {
            return Long.parseLong(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "delta '" + Excerpt.of(bytes, from, to) + "' is not a whole number within ±2^53", e);
        }
    }
}
