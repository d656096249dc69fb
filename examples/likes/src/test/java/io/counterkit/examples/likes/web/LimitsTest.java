package io.counterkit.examples.likes.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.examples.likes.RawClient;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.examples.likes.wall.Commits;
import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Orders;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Settler;
import io.counterkit.inmemory.InMemoryBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients take limited resources, and return them. */
class LimitsTest {
    private static final String POST = "honest";
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Counters counters = Counters.over(InMemoryBackend.create());
    private final Settler settler = new Settler(Duration.ofMillis(1));
    private final Breakage breakage = new Breakage();
    private final Likes likes = new Likes(counters, settler, breakage, Post.wall());
    private final Orders orders = new Orders(counters, settler);
    private final Live live = new Live(counters, orders, new Commits(), breakage, Post.wall(), Duration.ofMillis(10));
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        live.close();
        likes.close();
        settler.close();
        counters.close();
    }

    private WebServer start(int connections, int viewers, Duration silence, Duration bodyTime) throws IOException {
        ServerLimits limits = new ServerLimits(connections, viewers, 16, silence, 8192, bodyTime);
        WebServer server = WebServer.start(0, likes, orders, live, "a fake", limits);
        opened.add(server);
        return server;
    }

    private RawClient client(WebServer server) {
        RawClient client = RawClient.connect(server.address());
        opened.add(client);
        return client;
    }

    private RawClient viewer(WebServer server) {
        return client(server).send("GET /live HTTP/1.1\r\n" + RawClient.host(server.address()) + "\r\n");
    }

    private static void assertLikeSucceeds(WebServer server) {
        assertThat(RawClient.like(server.address(), POST, "Accept: application/json\r\n"))
                .contains("APPLIED");
    }

    @Test
    void viewerAboveTheLimitIsRefusedAndALikeIsNot() throws IOException {
        WebServer server = start(100, 3, LONG, LONG);
        List<RawClient> viewers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            viewers.add(viewer(server));
        }
        viewers.forEach(viewer -> viewer.readUntil("data: "));
        assertThat(viewer(server).readAll()).startsWith("HTTP/1.1 503 ").contains("Too many pages are open: 3.");
        assertLikeSucceeds(server);
        viewers.get(0).close();
        // The server notices this when it sends the next event.
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            assertLikeSucceeds(server);
            return viewer(server).readUntil("HTTP/1.1 ").contains(" 200 ");
        });
    }

    @Test
    void idleConnectionIsClosed() throws IOException {
        WebServer server = start(100, 3, Duration.ofSeconds(1), LONG);
        assertThat(client(server).readAll()).isEmpty();
        assertThat(client(server).send("POST /likes HTTP/1.1\r\n").readAll()).doesNotContain(" 200 ");
        assertThat(client(server)
                        .send("POST /likes HTTP/1.1\r\n" + RawClient.host(server.address())
                                + "Content-Length: 60\r\n\r\npost=")
                        .readAll())
                .startsWith("HTTP/1.1 408 ");
    }

    /** Each byte ends the idle time. */
    @Test
    void slowBodyIsCutOff() throws IOException {
        WebServer server = start(100, 3, LONG, Duration.ofMillis(300));
        RawClient client = client(server)
                .send("POST /likes HTTP/1.1\r\n" + RawClient.host(server.address())
                        + "Content-Length: 8000\r\n\r\npost=");
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofMinutes(1))
                .until(() -> !client.isTaken("x"));
        assertLikeSucceeds(server);
    }

    @Test
    void connectionAboveTheLimitWaitsForAnotherToEnd() throws Exception {
        WebServer server = start(5, 3, LONG, LONG);
        List<RawClient> idle = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            idle.add(client(server).send("POST /likes HTTP/1.1\r\n"));
        }
        RawClient waiting = client(server)
                .send("GET /page.css HTTP/1.1\r\n" + RawClient.host(server.address()) + "Connection: close\r\n\r\n");
        for (RawClient client : idle) {
            client.close();
        }
        assertThat(waiting.readAll()).startsWith("HTTP/1.1 200 ");
    }
}
