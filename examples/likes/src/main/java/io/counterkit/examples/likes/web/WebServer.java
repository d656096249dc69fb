package io.counterkit.examples.likes.web;

import com.sun.net.httpserver.HttpServer;
import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Orders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The application's HTTP server, for browsers on this machine. */
public final class WebServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "http");
        thread.setDaemon(true);
        return thread;
    });

    private WebServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @param port where to listen; 0 for any that is free
     * @param storeName what is below, for people
     * @throws IOException if the port is taken
     */
    public static WebServer start(int port, Likes likes, Orders orders, Live live, String storeName)
            throws IOException {
        WebServer web =
                new WebServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 128));
        Routes routes = new Routes(likes, orders, live, new Page(storeName));
        web.server.createContext("/", exchange -> routes.handle(new Request(exchange)));
        web.server.setExecutor(web.threads);
        web.server.start();
        return web;
    }

    /** The address of the page. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
