package io.counterkit.examples.likes;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.Injection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Greedy clients, pages of other sites, and requests that are no HTTP do not affect other clients. */
class HostileClientsTest {
    private static final String POST = "honest";
    private static final String COUNTER = "posts/honest/likes";
    private static final int HALF_OPEN = 800;
    private static final int VIEWERS = 300;
    private static final int MOST_THREADS = 100;

    private final FakeStore fake = new FakeStore();
    private final RunningApplication application = RunningApplication.start(fake);
    private final URI server = application.address();
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(RawClient::close);
        application.close();
    }

    private RawClient client() {
        RawClient client = RawClient.connect(server);
        clients.add(client);
        return client;
    }

    private long total() {
        return fake.store().dump().counters().getOrDefault(COUNTER, 0L);
    }

    private void assertLikeSucceeds() {
        long before = total();
        assertThat(RawClient.like(server, POST, "Accept: application/json\r\n")).contains(" 200 ", "APPLIED");
        assertThat(total()).isEqualTo(before + 1);
    }

    private static int threads() {
        return Thread.getAllStackTraces().size();
    }

    @Test
    void halfOpenConnectionsHoldNoThread() {
        int before = threads();
        for (int i = 0; i < HALF_OPEN; i++) {
            client().send("POST /likes HTTP/1.1\r\n");
        }
        assertLikeSucceeds();
        assertThat(threads()).isLessThan(before + MOST_THREADS);
    }

    @Test
    void bodiesThatDoNotArriveHoldNoThread() {
        int before = threads();
        for (int i = 0; i < VIEWERS; i++) {
            client().send("POST /likes HTTP/1.1\r\n" + RawClient.host(server) + "Content-Length: 60\r\n\r\npost=");
        }
        assertLikeSucceeds();
        assertThat(threads()).isLessThan(before + MOST_THREADS);
    }

    @Test
    void viewersHoldNoThreadAndAllReceiveTheLike() {
        int before = threads();
        for (int i = 0; i < VIEWERS; i++) {
            client().send("GET /live HTTP/1.1\r\n" + RawClient.host(server) + "\r\n");
        }
        clients.forEach(viewer -> viewer.readUntil("data: "));
        assertThat(threads()).isLessThan(before + MOST_THREADS);
        assertLikeSucceeds();
        clients.forEach(viewer -> viewer.readUntil("\"honest\":{\"value\":1,"));
    }

    @Test
    void requestsThatWaitForTheStoreDelayNoViewer() {
        RawClient viewer = client().send("GET /live HTTP/1.1\r\n" + RawClient.host(server) + "\r\n");
        viewer.readUntil("data: ");
        Injection held = fake.store().faults().inject(Fault.HOLD, Calls.all("orders"));
        String form = "item=Cocoa&quantity=1&click=aaaaaaaa-";
        for (int i = 100; i < 130; i++) {
            client().send("POST /orders HTTP/1.1\r\n" + RawClient.host(server) + "Content-Length: "
                    + (form.length() + 3) + "\r\n\r\n" + form + i);
        }
        assertLikeSucceeds();
        viewer.readUntil("\"honest\":{\"value\":1,");
        held.release();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:PORT",
                "127.0.0.1",
                "127.0.0.1:1",
                "localhost.evil.example:PORT",
                "127.0.0.1:PORT@evil.example",
                "[::1]:PORT",
                "0.0.0.0:PORT",
                "127.0.0.1:PORT.",
                "%zz:PORT",
                "[",
                ""
            })
    void foreignHostIsRefused(String host) {
        String header = "Host: " + host.replace("PORT", Integer.toString(server.getPort())) + "\r\n";
        assertThat(RawClient.like(server, POST, header)).containsPattern("^HTTP/1.1 4\\d\\d ");
        for (String path : List.of("/", "/live", "/page.js")) {
            String reply = client().send("GET " + path + " HTTP/1.1\r\n" + header + "Connection: close\r\n\r\n")
                    .readAll();
            assertThat(reply).containsPattern("^HTTP/1.1 4\\d\\d ");
        }
        assertThat(total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT"})
    void ownHostIsServed(String name) {
        String host = name.replace("PORT", Integer.toString(server.getPort()));
        String accept = "Accept: application/json\r\n";
        assertThat(RawClient.like(server, POST, accept, "Host: " + host + "\r\n"))
                .contains("APPLIED");
        assertThat(RawClient.like(server, POST, accept, "Host: " + host + "\r\n", "Origin: http://" + host + "\r\n"))
                .contains("APPLIED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "null",
                "http://127.0.0.1:1",
                "https://127.0.0.1:PORT",
                "http://localhost:PORT",
                "http://127.0.0.1:PORT.evil.example",
                "http://[",
                "http://%zz",
                "://",
                "\\",
                "http://127.0.0.1:PORT http://evil.example",
                "\u00e9"
            })
    void formOfAnotherSiteIsRefused(String origin) {
        String header = "Origin: " + origin.replace("PORT", Integer.toString(server.getPort())) + "\r\n";
        assertThat(RawClient.like(server, POST, header)).startsWith("HTTP/1.1 403 ");
        assertThat(total()).isZero();
    }

    @Test
    void tooLargeFormIsRefused() {
        String head = "POST /likes HTTP/1.1\r\n" + RawClient.host(server);
        assertThat(client().send(head + "Content-Length: 100000000\r\n\r\n" + "x".repeat(9_000))
                        .readAll())
                .startsWith("HTTP/1.1 413 ")
                .contains("8192 bytes at most");
        assertThat(client().send(head + "Transfer-Encoding: chunked\r\n\r\n2710\r\n" + "x".repeat(10_000) + "\r\n")
                        .readAll())
                .startsWith("HTTP/1.1 413 ");
        assertLikeSucceeds();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.0\r\n\r\n",
                "GET  HTTP/1.1\r\nHOST\r\n",
                "OPTIONS * HTTP/1.1\r\nHOST\r\n",
                "GET http://evil.example/ HTTP/1.1\r\nHOST\r\n",
                "DELETE /likes HTTP/1.1\r\nHOST\r\n",
                "GET /%zz HTTP/1.1\r\nHOST\r\n",
                "GET /?click=%zz HTTP/1.1\r\nHOST\r\n",
                "GET /?click=%ff HTTP/1.1\r\nHOST\r\n",
                "GET /?from=99999999999999999999 HTTP/1.1\r\nHOST\r\n",
                "GET /?to=likes&said=APPLIED&got=-1 HTTP/1.1\r\nHOST\r\n",
                "GET /../../etc/passwd HTTP/1.1\r\nHOST\r\n",
                "GET / HTTP/1.1\r\nHOSTHOST\r\n",
                "GET / HTTP/1.1\r\nHOSTX: \u0000\r\n\r\n",
                "POST /likes HTTP/1.1\r\nHOSTContent-Length: -1\r\n\r\n",
                "POST /likes HTTP/1.1\r\nHOSTContent-Length: 4\r\n\r\n%zz=",
                "POST /none HTTP/1.1\r\nHOSTContent-Length: 0\r\n\r\n",
                "\u0016\u0003\u0001\u0002\r\n\r\n",
                "NONSENSE\r\n\r\n"
            })
    void invalidRequestIsRefusedAndIsNoDefect(String request) {
        String sent = request.replace("HOST", RawClient.host(server) + "Connection: close\r\n");
        assertThat(client().send(sent).readAll())
                .containsPattern("^HTTP/1.1 (4\\d\\d|505) ")
                .doesNotContainIgnoringCase("jetty", "exception");
        assertLikeSucceeds();
    }
}
