package io.counterkit.cli.single;

import io.counterkit.Entry;
import io.counterkit.cli.console.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Formats entries for people and for programs. */
final class Entries {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Map<Class<?>, String> TYPES = Map.of(
            String.class, "text",
            Long.class, "integer",
            Double.class, "double",
            Boolean.class, "boolean",
            Instant.class, "time",
            byte[].class, "bytes");

    private Entries() {}

    /** Returns a line: number, time, change and subject, and the fields in the notation of {@code append}. */
    static String line(Entry entry, int numberWidth) {
        String subject = entry.subject();
        return String.format(Locale.ROOT, "%" + numberWidth + "d  %s", entry.number(), TIME.format(entry.appendedAt()))
                + (subject == null ? "" : "  " + Json.word(entry.change()) + " " + FieldNotation.shownSubject(subject))
                + (entry.erased() ? "  (erased)" : entry.fields().isEmpty() ? "" : "  " + FieldNotation.show(entry));
    }

    /**
     * Adds the members of an entry. JSON has no times, bytes, NaN and infinities, so these become strings. The member
     * {@code types} states the types of the fields, since most parsers do not distinguish 7 from 7.0 either.
     */
    static Json fill(Json json, Entry entry) {
        Json fields = Json.object();
        Json types = Json.object();
        new TreeMap<>(entry.fields()).forEach((name, value) -> {
            fields.with(name, jsonValue(value));
            types.with(name, TYPES.get(value.getClass()));
        });
        return json.with("number", entry.number())
                .with("appendedAt", entry.appendedAt().toString())
                .with("change", entry.change())
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
        boolean isNotFinite = value instanceof Double number && !Double.isFinite(number);
        return value instanceof Instant || isNotFinite ? value.toString() : value;
    }
}
