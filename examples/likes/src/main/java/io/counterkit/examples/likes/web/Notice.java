package io.counterkit.examples.likes.web;

import io.counterkit.examples.likes.wall.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page's message about the form that led to it, for browsers without a script. The address carries the form, so
 * that a reload repeats nothing and the same click can be sent again.
 *
 * @param text the message; empty if there is none
 * @param isOpen whether the outcome is still unknown, so that the page reloads itself
 * @param isBad whether the form failed
 * @param again where to send the form again; null if that is useless
 * @param fields the fields to send again
 */
record Notice(
        String text,
        boolean isOpen,
        boolean isBad,
        @Nullable String again,
        Map<String, String> fields) {
    private static final Set<String> ACTIONS = Set.of("likes", "crowd", "breakage", "orders", "cancellations");

    /** Returns the address that a form leads to. */
    static String address(String action, Map<String, String> form, Answer answer) {
        Map<String, String> query = new TreeMap<>(form);
        query.put("to", action);
        query.put("said", answer.state().name());
        query.put("got", Long.toString(answer.number()));
        return query.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&", "/?", ""));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Returns the notice for such an address; {@code settled} is the answer if it was unknown at first. */
    static Notice of(Form query, @Nullable Answer settled) {
        String action = query.text("to");
        if (!ACTIONS.contains(action)) {
            return new Notice("", false, false, null, Map.of());
        }
        Map<String, String> form = new TreeMap<>(query.fields());
        form.keySet().removeAll(Set.of("to", "said", "got"));
        String state = settled == null ? query.text("said") : settled.state().name();
        if (settled == null && state.equals("UNKNOWN")) {
            return new Notice(
                    "The server was restarted and does not know the outcome. Send it again: it counts once in total.",
                    false,
                    true,
                    action,
                    form);
        }
        return switch (state) {
            case "APPLIED" -> new Notice(done(action, number(query, settled)), false, false, null, Map.of());
            case "NOT_APPLIED" -> new Notice("Nothing was changed: you can try again.", false, true, action, form);
            case "REFUSED" -> new Notice("Nothing was changed: it is already done.", false, true, null, Map.of());
            case "UNKNOWN" ->
                new Notice("The store did not answer. The outcome is being resolved …", true, false, null, Map.of());
            default -> new Notice("", false, false, null, Map.of());
        };
    }

    private static long number(Form query, @Nullable Answer settled) {
        return settled == null ? query.number("got", 0, Long.MAX_VALUE) : settled.number();
    }

    private static String done(String action, long number) {
        return switch (action) {
            case "orders" -> "Your order is number " + number + ".";
            case "cancellations" -> "Cancelled, by number " + number + ".";
            case "crowd" -> "They are clicking.";
            case "breakage" -> "Done.";
            default -> "Counted.";
        };
    }
}
