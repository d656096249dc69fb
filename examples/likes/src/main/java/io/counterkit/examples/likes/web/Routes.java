package io.counterkit.examples.likes.web;

import io.counterkit.NotAppliedException;
import io.counterkit.examples.likes.wall.Answer;
import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Order;
import io.counterkit.examples.likes.wall.Orders;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What is where, and what happens there. */
final class Routes {
    private static final System.Logger LOGGER = System.getLogger(Routes.class.getName());

    /** Each open page holds a thread of the server. */
    private static final int MOST_VIEWERS = 200;

    private static final int CROWD = 500;
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Likes likes;
    private final Orders orders;
    private final Live live;
    private final Page page;
    private final Semaphore viewers = new Semaphore(MOST_VIEWERS);

    Routes(Likes likes, Orders orders, Live live, Page page) {
        this.likes = likes;
        this.orders = orders;
        this.live = live;
        this.page = page;
    }

    void handle(Request request) throws IOException {
        try {
            route(request);
        } catch (Request.BadRequestException e) {
            request.reply(400, "text/plain; charset=utf-8", "Not understood: " + e.getMessage() + "\n");
        } catch (IOException e) {
            request.close(); // whoever asked is gone; a token makes asking again harmless
        } catch (RuntimeException | InterruptedException e) {
            LOGGER.log(Level.ERROR, request.method() + " " + request.path(), e);
            request.reply(
                    500, "text/plain; charset=utf-8", "Something is wrong with this server; its log says what.\n");
        }
    }

    private void route(Request request) throws IOException, InterruptedException {
        String[] parts = request.path().substring(1).split("/", -1);
        if (request.method().equals("POST")) {
            if (!request.isFromHere()) {
                throw new Request.BadRequestException("a form of another site");
            }
            post(request, parts);
            return;
        }
        switch (parts[0]) {
            case "" -> showPage(request);
            case "live" -> stream(request);
            case "page.css" -> file(request, "page.css", "text/css; charset=utf-8");
            case "page.js" -> file(request, "page.js", "text/javascript; charset=utf-8");
            case "heart.svg" -> file(request, "heart.svg", "image/svg+xml");
            default -> request.reply(404, "text/plain; charset=utf-8", "There is nothing here: see /\n");
        }
    }

    private void post(Request request, String[] parts) throws IOException {
        Map<String, String> form = request.form();
        String click = Request.click(form);
        Answer answer = switch (parts[0]) {
            case "likes" -> likes.like(post(form), click);
            case "crowd" -> likes.crowd(post(form), click, CROWD);
            case "orders" -> booked(orders.place(item(form), Request.number(form, "quantity", 1, 99), click));
            case "cancellations" -> booked(orders.cancel(Request.number(form, "number", 1, Long.MAX_VALUE), click));
            default -> throw new Request.BadRequestException("there is no form '" + parts[0] + "'");
        };
        if (request.wantsJson()) {
            request.reply(status(answer), Json.CONTENT_TYPE, Json.of(answer));
        } else {
            request.redirect(Notice.address(parts[0], form, answer));
        }
    }

    /** Totals are watched; the book has to be read. */
    private Answer booked(Answer answer) {
        live.nudge();
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

    private static String item(Map<String, String> form) {
        String item = form.getOrDefault("item", "");
        if (!Page.ITEMS.contains(item)) {
            throw new Request.BadRequestException("item '" + item + "': use one of " + Page.ITEMS);
        }
        return item;
    }

    private Post post(Map<String, String> form) {
        Post post = likes.post(form.getOrDefault("post", ""));
        if (post == null) {
            throw new Request.BadRequestException("there is no post '" + form.get("post") + "'");
        }
        return post;
    }

    private @Nullable Answer known(Map<String, String> query, String click) {
        Post post = likes.post(query.getOrDefault("post", ""));
        return post == null ? orders.answer(click) : likes.answer(post, click);
    }

    private void showPage(Request request) throws IOException {
        Map<String, String> query = request.query();
        Snapshot snapshot = live.fresh();
        Notice notice = Notice.of(query, query.containsKey("click") ? known(query, Request.click(query)) : null);
        long last = snapshot.orders() == null ? 0 : snapshot.orders().last();
        Range range = query.containsKey("from")
                ? Range.from(Request.number(query, "from", 1, Long.MAX_VALUE - Range.SIZE))
                : Range.newest(last);
        List<Order> lines = null;
        String trouble = "";
        try {
            lines = snapshot.troubleSince() == null ? orders.lines(range.from(), range.to()) : null;
        } catch (NotAppliedException e) {
            trouble = String.valueOf(e.getMessage());
        }
        request.reply(
                200,
                "text/html; charset=utf-8",
                page.render(snapshot, notice, range, lines, trouble.isEmpty() ? snapshot.trouble() : trouble));
    }

    private void stream(Request request) throws IOException, InterruptedException {
        if (!viewers.tryAcquire()) {
            request.reply(503, "text/plain; charset=utf-8", "Too many pages are open.\n");
            return;
        }
        live.enter();
        try (OutputStream out = request.stream("text/event-stream; charset=utf-8")) {
            Snapshot shown = live.latest();
            long version = -1;
            while (!Thread.currentThread().isInterrupted()) {
                String event = shown.version() > version ? "data: " + Json.of(shown) + "\n\n" : ": still here\n\n";
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
                version = shown.version();
                shown = live.after(version, HEARTBEAT);
            }
        } finally {
            live.leave();
            viewers.release();
            request.close();
        }
    }

    private static void file(Request request, String name, String contentType) throws IOException {
        try (InputStream in = Routes.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not beside " + Routes.class);
            }
            request.reply(200, contentType, in.readAllBytes());
        }
    }
}
