package io.counterkit.cli.single;

import io.counterkit.Entry;
import io.counterkit.cli.console.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.TreeMap;

/** Entries as people and programs read them. */
final class Entries {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Entries() {}

    /** A line: number, time, what became of which subject, and the fields as {@code append} takes them. */
    static String line(Entry entry, int numberWidth) {
        String subject = entry.subject();
        return String.format(Locale.ROOT, "%" + numberWidth + "d  %s", entry.number(), TIME.format(entry.appendedAt()))
                + (subject == null ? "" : "  " + nameOf(entry) + " " + FieldNotation.shownSubject(subject))
                + (entry.erased() ? "  (erased)" : entry.fields().isEmpty() ? "" : "  " + FieldNotation.show(entry));
    }

    /**
     * Adds the members of an entry. JSON has neither times nor bytes nor numbers that are none, so these are texts in its
     * fields, and most readers take 7 and 7.0 for the same: so the type of each field stands beside it.
     */
    static Json fill(Json json, Entry entry) {
        Json fields = Json.object();
        Json types = Json.object();
        new TreeMap<>(entry.fields()).forEach((name, value) -> {
            fields.with(name, jsonValue(value));
            types.with(name, typeOf(value));
        });
        return json.with("number", entry.number())
                .with("appendedAt", entry.appendedAt().toString())
                .with("change", nameOf(entry))
                .with("subject", entry.subject())
                .with("liveCount", entry.liveCount())
                .with("erased", entry.erased())
                .with("fields", fields)
                .with("types", types);
    }

    private static Object jsonValue(Object value) {
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        boolean hasNoNumber = value instanceof Double number && !Double.isFinite(number);
        return value instanceof Instant || hasNoNumber ? value.toString() : value;
    }

    private static String typeOf(Object value) {
        return value instanceof String
                ? "text"
                : value instanceof Long
                        ? "integer"
                        : value instanceof Double
                                ? "double"
                                : value instanceof Boolean ? "boolean" : value instanceof Instant ? "time" : "bytes";
    }

    private static String nameOf(Entry entry) {
        return entry.change().name().toLowerCase(Locale.ROOT);
    }
}
