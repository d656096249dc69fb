package io.counterkit.examples.likes.web;

import io.counterkit.Tail;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.examples.likes.wall.Commits;
import io.counterkit.examples.likes.wall.Order;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Snapshot;
import io.counterkit.examples.likes.wall.Total;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders the page, which is complete without a script; {@code page.js} keeps it up to date. */
final class Page {
    /** The items that can be ordered. */
    static final List<String> ITEMS = List.of("Coffee beans", "Tea leaves", "Cocoa", "Oat milk");

    /** Totals that are not as old show no age. */
    private static final Duration OLD = Duration.ofSeconds(5);

    private static final String TROUBLE =
            "The page shows what was known before. Each button says whether its like or order succeeded.";

    /** The post that the crowd likes. */
    private static final Post CROWDED = Post.wall().get(2);

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final Template PAGE = Template.of("page.html");
    private static final Template POST = Template.of("post.html");
    private static final Template BOOK = Template.of("book.html");

    private final String storeName;

    Page(String storeName) {
        this.storeName = storeName;
    }

    /**
     * Returns the HTML of the page.
     *
     * @param lines the orders of the range; null if they could not be read
     * @param isInTrouble whether the store cannot be read
     */
    String render(Snapshot snapshot, Notice notice, Range range, @Nullable List<Order> lines, boolean isInTrouble) {
        Tail tail = snapshot.orders();
        Commits.Figures commits = snapshot.commits();
        Map<String, String> html = new HashMap<>();
        html.put("refresh", notice.isOpen() ? "<meta http-equiv=\"refresh\" content=\"2\">\n" : "");
        html.put("store", escape(storeName));
        html.put("healthClass", isInTrouble ? "trouble" : "still");
        html.put("health", isInTrouble ? trouble(snapshot.troubleSince()) : "as of this page");
        html.put("healthTitle", isInTrouble ? TROUBLE : "Reload the page for newer totals.");
        html.put("notice", notice(notice));
        html.put(
                "posts",
                Post.wall().stream()
                        .map(post -> post(post, snapshot.totals().get(post.id()), isInTrouble))
                        .collect(Collectors.joining()));
        html.put("ranking", ranking(snapshot));
        html.put("perCommit", String.format(Locale.ROOT, "%.1f", commits.perCommit()));
        html.put("largest", figure(commits.largest()));
        html.put("adds", figure(commits.adds()));
        html.put("commits", figure(commits.commits()));
        html.put(
                "unliked",
                snapshot.unliked().isEmpty()
                        ? ""
                        : "No likes yet: "
                                + snapshot.unliked().stream()
                                        .map(post -> escape(post.author()))
                                        .collect(Collectors.joining(", ")));
        fillBreakage(html, snapshot.breakage());
        html.put("crowdAuthor", escape(CROWDED.author()));
        html.put("crowdFields", hidden(Map.of("post", CROWDED.id(), "click", click())));
        html.put("orderFields", hidden(Map.of("click", click())));
        html.put(
                "items",
                ITEMS.stream().map(item -> "<option>" + item + "</option>").collect(Collectors.joining()));
        html.put("standing", tail == null ? "–" : figure(tail.liveCount()));
        html.put("standingNoun", tail != null && tail.liveCount() == 1 ? "order stands" : "orders stand");
        html.put("last", tail == null ? "–" : figure(tail.last()));
        html.put("lastNoun", (tail != null && tail.last() == 1 ? "number" : "numbers") + " issued, without a gap");
        html.put("bookLast", Long.toString(lines == null || tail == null ? -1 : tail.last()));
        html.put(
                "book",
                lines == null
                        ? "<p>The order book cannot be read now.</p>\n"
                        : book(range, lines, tail == null ? 0 : tail.last()));
        return PAGE.fill(html);
    }

    private static String trouble(@Nullable Instant since) {
        return "cannot be read" + (since == null ? " now" : " since " + CLOCK.format(since) + " UTC");
    }

    private static void fillBreakage(Map<String, String> html, Breakage.Figures breakage) {
        html.put("brokenClass", breakage.isOn() ? " broken" : "");
        html.put("breakFields", hidden(Map.of("on", breakage.isOn() ? "0" : "1", "click", click())));
        html.put("breakButton", breakage.isOn() ? "Deliver all replies again" : "Drop every other reply");
        html.put("droppedReplies", figure(breakage.droppedReplies()));
        html.put("confirmed", figure(breakage.confirmed()));
        html.put("counted", breakage.counted() == null ? "–" : figure(breakage.counted()));
        html.put("retried", breakage.retried() == null ? "–" : figure(breakage.retried()));
    }

    private static String notice(Notice notice) {
        if (notice.text().isEmpty()) {
            return "";
        }
        String again = notice.again() == null
                ? ""
                : " <form method=\"post\" action=\"/" + notice.again() + "\">" + hidden(notice.fields())
                        + "<button>Send again</button></form>";
        return "<div id=\"notice\" class=\"%s\" role=\"status\"><p>%s</p>%s</div>\n"
                .formatted(notice.isBad() ? "bad" : "good", escape(notice.text()), again);
    }

    private static String hidden(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "<input type=\"hidden\" name=\"%s\" value=\"%s\">"
                        .formatted(escape(field.getKey()), escape(field.getValue())))
                .collect(Collectors.joining());
    }

    private static String click() {
        return UUID.randomUUID().toString();
    }

    private static String post(Post post, @Nullable Total total, boolean isInTrouble) {
        Duration age = total == null ? OLD : total.age(System.nanoTime());
        long seconds = age.plusMillis(999).toSeconds();
        return POST.fill(Map.of(
                "id", post.id(),
                "text", escape(post.text()),
                "author", escape(post.author()),
                "fields", hidden(Map.of("post", post.id(), "click", click())),
                "total", total == null ? "–" : figure(total.reading().value()),
                "ageClass", isInTrouble || age.compareTo(OLD) >= 0 ? " old" : "",
                "ageTitle",
                        total == null ? "" : "This total was right at some moment within the last " + seconds + " s.",
                "ageSeconds", total == null ? "" : Double.toString(age.toMillis() / 1000.0),
                "age", total == null ? "not known" : "up to " + seconds + " s old"));
    }

    private static String ranking(Snapshot snapshot) {
        return snapshot.ranking().stream()
                .map(rank ->
                        "<li><span class=\"place\">%s</span> <a href=\"#post-%s\">%s</a> <span class=\"number\">%s</span></li>\n"
                                .formatted(
                                        Json.place(rank),
                                        rank.post().id(),
                                        escape(rank.post().author()),
                                        figure(rank.total())))
                .collect(Collectors.joining());
    }

    private static String book(Range range, List<Order> lines, long last) {
        if (last == 0) {
            return "<p>There are no orders yet. The first order gets number 1.</p>\n";
        }
        StringBuilder rows = new StringBuilder();
        for (int i = lines.size() - 1; i >= 0; i--) {
            rows.append(row(lines.get(i)));
        }
        long to = Math.min(range.to(), last);
        return BOOK.fill(Map.of(
                "from", figure(Math.min(range.from(), last)),
                "to", figure(to),
                "last", figure(last),
                "rows", rows.toString(),
                "older", range.from() > 1 ? link(range.older(), "← Older") : "<span>← Older</span>",
                "newer", to < last ? link(range.newer(), "Newer →") : "<span>Newer →</span>",
                "fromField", Long.toString(range.from())));
    }

    private static String row(Order order) {
        String what = order.cancels() > 0
                ? "Cancels number " + figure(order.cancels())
                : order.quantity() + " × " + escape(order.item());
        String state = "";
        if (order.isActive()) {
            state = "<form method=\"post\" action=\"/cancellations\">"
                    + hidden(Map.of("number", Long.toString(order.number()), "click", click()))
                    + "<button class=\"quiet\" aria-label=\"Cancel order " + order.number()
                    + "\">Cancel</button></form>";
        } else if (order.cancelledBy() > 0) {
            state = "<small>cancelled by " + figure(order.cancelledBy()) + "</small>";
        }
        return "<tr class=\"%s\"><th scope=\"row\">%s</th><td>%s</td><td class=\"at\"><time datetime=\"%s\">%s</time></td><td>%s</td></tr>\n"
                .formatted(
                        order.isActive() ? "stands" : order.cancels() > 0 ? "gone" : "gone cancelled",
                        figure(order.number()),
                        what,
                        order.at(),
                        CLOCK.format(order.at()),
                        state);
    }

    private static String link(Range range, String text) {
        return "<a href=\"/?from=%d#orders\">%s</a>".formatted(range.from(), text);
    }

    private static String figure(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
