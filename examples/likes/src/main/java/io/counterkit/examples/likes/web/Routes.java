package io.counterkit.examples.likes.web;

import io.counterkit.NotAppliedException;
import io.counterkit.examples.likes.wall.Answer;
import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Order;
import io.counterkit.examples.likes.wall.Orders;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Snapshot;
import java.lang.System.Logger.Level;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Maps requests to the likes, the orders and the page. */
final class Routes {
    private static final System.Logger LOGGER = System.getLogger(Routes.class.getName());

    private static final int CROWD = 500;

    private final Likes likes;
    private final Orders orders;
    private final Live live;
    private final Page page;
    private final Viewers viewers;
    private final OwnAddresses addresses;
    private final ServerLimits limits;

    Routes(
            Likes likes,
            Orders orders,
            Live live,
            Page page,
            Viewers viewers,
            OwnAddresses addresses,
            ServerLimits limits) {
        this.likes = likes;
        this.orders = orders;
        this.live = live;
        this.page = page;
        this.viewers = viewers;
        this.addresses = addresses;
        this.limits = limits;
    }

    /** Replies now, or when the body of the request has arrived. */
    void handle(Exchange exchange) {
        String host = exchange.header(HttpHeader.HOST);
        if (!addresses.contains(host)) {
            exchange.hangUp(421, "Unknown host '" + host + "': use the address that ./likes printed.\n");
            return;
        }
        answer(exchange, () -> {
            switch (exchange.method()) {
                case "GET", "HEAD" -> get(exchange);
                case "POST" -> receive(exchange, host);
                default -> exchange.hangUp(405, "Use GET or POST.\n");
            }
        });
    }

    /** Runs a route, and replies with its failure if it fails. */
    private static void answer(Exchange exchange, Runnable route) {
        try {
            route.run();
        } catch (Form.BadRequestException e) {
            exchange.reply(400, Exchange.TEXT, "Not understood: " + e.getMessage() + "\n");
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, exchange.method() + " " + exchange.path(), e);
            exchange.reply(500, Exchange.TEXT, "The server failed; its log has the reason.\n");
        }
    }

    private void get(Exchange exchange) {
        switch (exchange.path()) {
            case "/" -> showPage(exchange);
            case "/live" -> addViewer(exchange);
            case "/page.css" -> file(exchange, "page.css", "text/css; charset=utf-8");
            case "/page.js", "/dom.js", "/view.js", "/book.js", "/send.js" ->
                file(exchange, exchange.path().substring(1), "text/javascript; charset=utf-8");
            case "/heart.svg" -> file(exchange, "heart.svg", "image/svg+xml");
            default -> exchange.reply(404, Exchange.TEXT, "Not found: see /\n");
        }
    }

    private void receive(Exchange exchange, String host) {
        String origin = exchange.header(HttpHeader.ORIGIN);
        if (!addresses.allowsOrigin(origin, host)) {
            exchange.hangUp(403, "A form of another site, '" + origin + "', is not accepted.\n");
            return;
        }
        exchange.body(limits.bodyBytes(), limits.bodyTime(), (body, failure) -> {
            if (failure == null) {
                answer(exchange, () -> post(exchange, Form.parse(body)));
            } else if (failure instanceof IllegalStateException) {
                exchange.hangUp(413, "A form has " + limits.bodyBytes() + " bytes at most.\n");
            } else {
                exchange.hangUp(
                        408,
                        "The form did not arrive within " + limits.bodyTime().toSeconds() + " seconds.\n");
            }
        });
    }

    private void post(Exchange exchange, Form form) {
        String action = exchange.path().substring(1);
        String click = form.click();
        Answer answer = switch (action) {
            case "likes" -> likes.like(post(form), click);
            case "crowd" -> likes.crowd(post(form), click, CROWD);
            case "breakage" -> live.breakStore(form.number("on", 0, 1) == 1);
            case "orders" -> refreshed(orders.place(item(form), form.number("quantity", 1, 99), click));
            case "cancellations" -> refreshed(orders.cancel(form.number("number", 1, Long.MAX_VALUE), click));
            default -> throw new Form.BadRequestException("there is no form '" + action + "'");
        };
        if (exchange.wantsJson()) {
            exchange.reply(status(answer), Json.CONTENT_TYPE, Json.of(answer));
        } else {
            exchange.redirect(Notice.address(action, form.fields(), answer));
        }
    }

    /** Refreshes the order book, which cannot be watched. */
    private Answer refreshed(Answer answer) {
        live.refresh();
        return answer;
    }

    private static int status(Answer answer) {
        return switch (answer.state()) {
            case APPLIED -> 200;
            case UNKNOWN -> 202;
            case REFUSED -> 409;
            case NOT_APPLIED -> 503;
        };
    }

    private static String item(Form form) {
        String item = form.text("item");
        if (!Page.ITEMS.contains(item)) {
            throw new Form.BadRequestException("item '" + item + "': use one of " + Page.ITEMS);
        }
        return item;
    }

    private Post post(Form form) {
        Post post = likes.post(form.text("post"));
        if (post == null) {
            throw new Form.BadRequestException("there is no post '" + form.text("post") + "'");
        }
        return post;
    }

    private @Nullable Answer settledAnswer(Form query) {
        Post post = likes.post(query.text("post"));
        return post == null ? orders.answer(query.click()) : likes.answer(post, query.click());
    }

    private void showPage(Exchange exchange) {
        Form query = exchange.query();
        Snapshot snapshot = live.fresh();
        Notice notice = Notice.of(query, query.has("click") ? settledAnswer(query) : null);
        long last = snapshot.orders() == null ? 0 : snapshot.orders().last();
        Range range = query.has("from")
                ? new Range(query.number("from", 1, Long.MAX_VALUE - Range.SIZE))
                : Range.newest(last);
        List<Order> lines = null;
        boolean isInTrouble = snapshot.troubleSince() != null;
        try {
            lines = isInTrouble ? null : orders.lines(range.from(), range.to());
        } catch (NotAppliedException e) {
            isInTrouble = true;
        }
        exchange.reply(200, "text/html; charset=utf-8", page.render(snapshot, notice, range, lines, isInTrouble));
    }

    private void addViewer(Exchange exchange) {
        if (exchange.method().equals("HEAD")) {
            exchange.reply(200, "text/event-stream; charset=utf-8", "");
        } else if (!viewers.add(exchange)) {
            exchange.hangUp(503, "Too many pages are open: " + limits.viewers() + ".\n");
        }
    }

    private static void file(Exchange exchange, String name, String contentType) {
        exchange.reply(200, contentType, Template.read(name));
    }
}
