package io.counterkit.examples.likes.web;

import io.counterkit.Tail;
import io.counterkit.examples.likes.wall.Commits;
import io.counterkit.examples.likes.wall.Order;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Snapshot;
import io.counterkit.examples.likes.wall.Total;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The one page, which is whole without a script; {@code page.js} keeps it up to date. */
final class Page {
    /** What can be ordered. */
    static final List<String> ITEMS = List.of("Coffee beans", "Tea leaves", "Cocoa", "Oat milk");

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final String storeName;
    private final List<Post> posts = Post.wall();

    Page(String storeName) {
        this.storeName = storeName;
    }

    /**
     * @param lines the orders of the range; null if they could not be read
     * @param trouble what the store says if it cannot be read; empty if it can
     */
    String render(Snapshot snapshot, Notice notice, Range range, @Nullable List<Order> lines, String trouble) {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Likes and orders · CounterKit</title>
                <link rel="icon" href="/heart.svg">
                <link rel="stylesheet" href="/page.css">
                <script src="/page.js" defer></script>
                %s</head>
                <body>
                <header>
                <h1>Likes and orders</h1>
                <p id="status" role="status"><span class="store">%s</span> <span id="state">as of this page</span></p>
                </header>
                <p id="trouble" role="alert"%s>%s</p>
                %s<main>
                %s%s%s</main>
                <footer><p>An example of <strong>CounterKit</strong>: exact counters and gapless sequences.
                Each click carries a token, so that it counts once however often it is sent.</p></footer>
                </body>
                </html>
                """.formatted(
                        notice.isOpen() ? "<meta http-equiv=\"refresh\" content=\"2\">\n" : "",
                        escape(storeName),
                        trouble.isEmpty() ? " hidden" : "",
                        trouble.isEmpty() ? "" : escape(troubleText(snapshot.troubleSince())),
                        notice(notice),
                        wall(snapshot),
                        side(snapshot),
                        orders(snapshot, range, lines));
    }

    private static String troubleText(@Nullable Instant since) {
        return "The store cannot be read"
                + (since == null ? "" : " since " + CLOCK.format(since) + " UTC")
                + ". What you see is what was known before; whether a like or an order goes through, its button will say.";
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

    private String wall(Snapshot snapshot) {
        StringBuilder html = new StringBuilder("""
                <section id="wall" aria-labelledby="wall-title">
                <h2 id="wall-title">Wall</h2>
                <div class="posts">
                """);
        for (Post post : posts) {
            html.append("""
                    <article id="post-%1$s" class="card">
                    <p class="text">%2$s</p>
                    <p class="author">%3$s</p>
                    <form method="post" action="/likes" class="like">
                    %4$s
                    <button aria-label="Like the post of %3$s"><span aria-hidden="true">♥</span> <span class="label">Like</span></button>
                    %5$s
                    </form>
                    <p class="said" role="status"></p>
                    </article>
                    """.formatted(
                            post.id(),
                            escape(post.text()),
                            escape(post.author()),
                            hidden(Map.of("post", post.id(), "click", click())),
                            total(post, snapshot.totals().get(post.id()))));
        }
        return html.append("</div>\n</section>\n").toString();
    }

    private static String total(Post post, @Nullable Total total) {
        return "<output class=\"total\" aria-live=\"polite\" aria-label=\"Likes\" data-post=\"%s\">%s</output>"
                        .formatted(
                                post.id(),
                                total == null ? "–" : figure(total.reading().value()))
                + "<small class=\"age\">%s</small>".formatted(total == null ? "not known" : age(total));
    }

    private static String age(Total total) {
        Duration age = total.age(System.nanoTime());
        return String.format(Locale.ROOT, "≤ %.1f s old", age.toMillis() / 1000.0);
    }

    private String side(Snapshot snapshot) {
        StringBuilder ranking = new StringBuilder();
        for (String id : snapshot.top()) {
            Post post =
                    posts.stream().filter(p -> p.id().equals(id)).findFirst().orElse(null);
            Total total = snapshot.totals().get(id);
            if (post != null && total != null) {
                ranking.append("<li><a href=\"#post-%s\">%s</a> <span>%s</span></li>\n"
                        .formatted(
                                id,
                                escape(post.author()),
                                figure(total.reading().value())));
            }
        }
        Commits.Figures commits = snapshot.commits();
        return """
                <aside>
                <section class="card" aria-labelledby="top-title">
                <h2 id="top-title">Top</h2>
                <ol id="ranking">
                %s</ol>
                </section>
                <section class="card" aria-labelledby="commits-title">
                <h2 id="commits-title">Commits</h2>
                <dl id="commits">
                <dt>likes per commit</dt><dd data-figure="perCommit">%s</dd>
                <dt>most in one</dt><dd data-figure="largest">%s</dd>
                <dt>likes sent</dt><dd data-figure="adds">%s</dd>
                <dt>in commits</dt><dd data-figure="commits">%s</dd>
                </dl>
                <form method="post" action="/crowd">
                %s
                <button>Send a crowd of 500</button>
                </form>
                <p class="said" role="status"></p>
                </section>
                </aside>
                """.formatted(
                        ranking,
                        String.format(Locale.ROOT, "%.1f", commits.perCommit()),
                        figure(commits.largest()),
                        figure(commits.adds()),
                        figure(commits.commits()),
                        hidden(Map.of("post", "hot-counter", "click", click())));
    }

    private static String orders(Snapshot snapshot, Range range, @Nullable List<Order> lines) {
        Tail tail = snapshot.orders();
        long last = tail == null ? 0 : tail.last();
        String options =
                ITEMS.stream().map(item -> "<option>" + item + "</option>").collect(Collectors.joining());
        return """
                <section id="orders" class="card" aria-labelledby="orders-title">
                <h2 id="orders-title">Orders</h2>
                <form method="post" action="/orders" class="order">
                %s
                <label>Item <select name="item">%s</select></label>
                <label>How many <input name="quantity" type="number" min="1" max="99" value="1" required></label>
                <button>Order</button>
                </form>
                <p class="said" role="status"></p>
                <p class="figures"><span><output id="standing" aria-live="polite">%s</output> orders stand</span>
                <span><output id="last" aria-live="polite">%s</output> numbers given out, none left out</span></p>
                <div id="book">
                %s</div>
                </section>
                """.formatted(
                        hidden(Map.of("click", click())),
                        options,
                        tail == null ? "–" : figure(tail.liveCount()),
                        tail == null ? "–" : figure(last),
                        lines == null ? "<p>The order book cannot be read now.</p>\n" : book(range, lines, last));
    }

    private static String book(Range range, List<Order> lines, long last) {
        if (last == 0) {
            return "<p>Nothing was ordered yet. The first order gets number 1.</p>\n";
        }
        StringBuilder rows = new StringBuilder();
        for (int i = lines.size() - 1; i >= 0; i--) {
            rows.append(row(lines.get(i)));
        }
        long to = Math.min(range.to(), last);
        return """
                <table>
                <caption>Numbers %s to %s of %s</caption>
                <thead><tr><th scope="col">Number</th><th scope="col">What</th><th scope="col" class="at">When (UTC)</th><th scope="col"></th></tr></thead>
                <tbody>
                %s</tbody>
                </table>
                <nav aria-label="Pages of orders">%s%s
                <form method="get" action="/#orders"><label>From number <input name="from" type="number" min="1" value="%s"></label> <button class="quiet">Show</button></form>
                </nav>
                """.formatted(
                        figure(Math.min(range.from(), last)),
                        figure(to),
                        figure(last),
                        rows,
                        range.from() > 1 ? link(range.older(), "← Older") : "<span>← Older</span>",
                        to < last ? link(range.newer(), "Newer →") : "<span>Newer →</span>",
                        range.from());
    }

    private static String row(Order order) {
        String what = order.cancels() > 0
                ? "Cancels number " + figure(order.cancels())
                : order.quantity() + " × " + escape(order.item());
        String state = order.cancelledBy() > 0
                ? "<small>cancelled by " + figure(order.cancelledBy()) + "</small>"
                : order.stands()
                        ? "<form method=\"post\" action=\"/cancellations\">"
                                + hidden(Map.of("number", Long.toString(order.number()), "click", click()))
                                + "<button class=\"quiet\" aria-label=\"Cancel order " + order.number()
                                + "\">Cancel</button></form>"
                        : "";
        return "<tr class=\"%s\"><th scope=\"row\">%s</th><td>%s</td><td class=\"at\"><time>%s</time></td><td>%s</td></tr>\n"
                .formatted(
                        order.stands() ? "stands" : order.cancels() > 0 ? "gone" : "gone cancelled",
                        figure(order.number()),
                        what,
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
