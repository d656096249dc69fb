package io.counterkit.examples.likes.web;

import io.counterkit.Tail;
import io.counterkit.examples.likes.wall.Answer;
import io.counterkit.examples.likes.wall.Snapshot;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the page's script is sent. */
final class Json {
    static final String CONTENT_TYPE = "application/json; charset=utf-8";

    private Json() {}

    static String of(Answer answer) {
        return "{\"state\":" + text(answer.state().name()) + ",\"number\":" + answer.number() + ",\"why\":"
                + text(answer.why()) + "}";
    }

    static String of(Snapshot snapshot) {
        long now = System.nanoTime();
        Map<String, String> totals = new TreeMap<>();
        snapshot.totals()
                .forEach((id, total) -> totals.put(
                        id,
                        "{\"value\":" + total.reading().value() + ",\"ageMillis\":"
                                + total.age(now).toMillis() + "}"));
        Tail orders = snapshot.orders();
        return "{\"totals\":{"
                + totals.entrySet().stream()
                        .map(total -> text(total.getKey()) + ":" + total.getValue())
                        .collect(Collectors.joining(","))
                + "},\"top\":["
                + snapshot.top().stream().map(Json::text).collect(Collectors.joining(","))
                + "],\"orders\":"
                + (orders == null ? "null" : "{\"last\":" + orders.last() + ",\"live\":" + orders.liveCount() + "}")
                + ",\"commits\":{\"commits\":" + snapshot.commits().commits() + ",\"adds\":"
                + snapshot.commits().adds() + ",\"largest\":"
                + snapshot.commits().largest() + ",\"perCommit\":"
                + String.format(Locale.ROOT, "%.1f", snapshot.commits().perCommit())
                + "},\"troubleSince\":"
                + (snapshot.troubleSince() == null
                        ? "null"
                        : Long.toString(snapshot.troubleSince().toEpochMilli()))
                + ",\"trouble\":" + text(snapshot.trouble()) + "}";
    }

    private static String text(String value) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
