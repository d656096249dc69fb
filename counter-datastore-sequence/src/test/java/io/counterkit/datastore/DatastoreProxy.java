package io.counterkit.datastore;

import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId.Location;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Injects faults into HTTP calls between the clients of one project and an emulator, and ends {@link IdleTransactions}. The
 * emulator behind it can change.
 */
public final class DatastoreProxy implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DatastoreProxy.class.getName());
    private static final int UNAVAILABLE = 14;
    private static final int ABORTED = 10;
    private static final String TYPE = "application/x-protobuf";
    /** The project of App Engine's client. */
    public static final String PROJECT = "demo-counterkit";

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    /** Proxies share it, since each has a thread and a selector. */
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final AtomicReference<DisturbedDelegate.Rule> rule = new AtomicReference<>(method -> null);
    private final AtomicInteger calls = new AtomicInteger();
    private final IdleTransactions idle = new IdleTransactions();
    private final List<CountDownLatch> held = new ArrayList<>();
    private final List<CountDownLatch> carriedOut = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(DatastoreProxy::thread);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(DatastoreProxy::thread);
    private final HttpServer server;
    private final String project;
    private volatile String target = "";

    private DatastoreProxy(HttpServer server, String project) {
        this.server = server;
        this.project = project;
    }

    /** Starts a proxy for App Engine's API: one for a JVM, since that has one remote configuration. */
    static DatastoreProxy forRemoteApi() {
        DatastoreProxy proxy = start(PROJECT);
        CloudDatastoreRemoteServiceConfig.setConfig(CloudDatastoreRemoteServiceConfig.builder()
                .appId(AppId.create(Location.US_CENTRAL, PROJECT))
                .emulatorHost(proxy.hostAndPort())
                .maxRetries(0)
                .build());
        return proxy;
    }

    /** Starts a proxy for the clients of a project. */
    public static DatastoreProxy start(String project) {
        // otherwise each reply waits 40 ms for the acknowledgement of its first packet
        System.setProperty("sun.net.httpserver.nodelay", "true");
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            DatastoreProxy proxy = new DatastoreProxy(server, project);
            server.createContext("/", proxy::handle);
            server.setExecutor(proxy.threads);
            server.start();
            ScheduledFuture<?> unused = proxy.clock.scheduleWithFixedDelay(
                    proxy::endIdleTransactions, 0, BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "datastore-proxy");
        thread.setDaemon(true);
        return thread;
    }

    private void endIdleTransactions() {
        for (byte[] rollback : idle.takeExpired()) {
            try {
                HttpResponse<Void> unused = CLIENT.send(
                        request("/v1/projects/" + project + ":rollback")
                                .header("Content-Type", TYPE)
                                .POST(HttpRequest.BodyPublishers.ofByteArray(rollback))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
            } catch (IOException e) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "an idle transaction could not be ended",
                        e); // the store ends it later
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + target + path));
    }

    /** Returns where the proxy listens. */
    public String hostAndPort() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    public void to(String hostAndPort) {
        target = hostAndPort;
    }

    public int calls() {
        return calls.get();
    }

    public void disturb(DisturbedDelegate.Rule calls) {
        rule.set(calls);
    }

    /** Stops disturbing calls, and carries out the calls that are held before it returns. */
    public void release() {
        rule.set(method -> null);
        List<CountDownLatch> waiting;
        synchronized (held) {
            held.forEach(CountDownLatch::countDown);
            held.clear();
            waiting = List.copyOf(carriedOut);
            carriedOut.clear();
        }
        for (CountDownLatch done : waiting) {
            try {
                if (!done.await(60, TimeUnit.SECONDS)) {
                    throw new AssertionError("a held call was not carried out within a minute");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Releases what is held, and stops listening. */
    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdown();
        clock.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            calls.incrementAndGet();
            Disturbance disturbance = rule.get().of(method(exchange));
            if (disturbance == null) {
                forward(exchange, request, true);
            } else if (disturbance.isHeld()) {
                hold(exchange, request);
            } else {
                if (disturbance.isCarriedOut()) {
                    forward(exchange, request, false);
                }
                fail(exchange, disturbance.error());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String method(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.indexOf(':') + 1);
    }

    private void hold(HttpExchange exchange, byte[] request) throws IOException, InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        synchronized (held) {
            held.add(released);
            carriedOut.add(done);
        }
        released.await();
        try {
            forward(exchange, request, true);
        } finally {
            done.countDown();
        }
    }

    private void forward(HttpExchange exchange, byte[] request, boolean replies)
            throws IOException, InterruptedException {
        String method = method(exchange);
        HttpRequest.Builder forwarded = request(exchange.getRequestURI().toString())
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(request));
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type != null) {
            forwarded.header("Content-Type", type);
        }
        idle.before(method, request);
        HttpResponse<byte[]> reply = CLIENT.send(forwarded.build(), HttpResponse.BodyHandlers.ofByteArray());
        idle.after(method, request, reply.statusCode() == 200, reply.body());
        if (replies) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Type",
                            reply.headers().firstValue("Content-Type").orElse(TYPE));
            exchange.sendResponseHeaders(reply.statusCode(), reply.body().length == 0 ? -1 : reply.body().length);
            exchange.getResponseBody().write(reply.body());
        }
    }

    /**
     * Answers with an error in the form of Google's servers: a status in protobuf. For a deadline that passed, cuts the
     * connection instead; for an internal error, answers as a proxy of the network does.
     */
    private static void fail(HttpExchange exchange, Disturbance.StoreError error) throws IOException {
        if (error == Disturbance.StoreError.DEADLINE_EXCEEDED) {
            return; // closing the exchange without an answer closes the connection
        }
        if (error == Disturbance.StoreError.INTERNAL_ERROR) {
            byte[] page = "<html>502 Bad Gateway</html>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(502, page.length);
            exchange.getResponseBody().write(page);
            return;
        }
        boolean isContention = error == Disturbance.StoreError.CONTENTION;
        byte[] message = ("injected " + error).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream status = new ByteArrayOutputStream();
        status.write(8);
        status.write(isContention ? ABORTED : UNAVAILABLE);
        status.write(18);
        status.write(message.length);
        status.write(message);
        exchange.getResponseHeaders().set("Content-Type", TYPE);
        exchange.sendResponseHeaders(isContention ? 409 : 503, status.size());
        exchange.getResponseBody().write(status.toByteArray());
    }
}
