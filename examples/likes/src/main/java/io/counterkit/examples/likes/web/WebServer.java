package io.counterkit.examples.likes.web;

import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Orders;
import java.io.IOException;
import java.net.URI;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The application's HTTP server, for browsers on this machine. */
public final class WebServer implements AutoCloseable {
    private final Server server;
    private final ServerConnector connector;
    private final Viewers viewers;

    private WebServer(Live live, ServerLimits limits) {
        QueuedThreadPool threads = new QueuedThreadPool(limits.threads());
        threads.setName("http");
        threads.setDaemon(true);
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(OwnAddresses.HOST);
        connector.setIdleTimeout(limits.silence().toMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        server.setErrorHandler(WebServer::refuse);
        viewers = new Viewers(live, limits.viewers());
    }

    /**
     * Starts a server.
     *
     * @param port the port; 0 for any free one
     * @param storeName the name of the store, for people
     * @throws IOException if the port is taken
     */
    public static WebServer start(int port, Likes likes, Orders orders, Live live, String storeName)
            throws IOException {
        return start(port, likes, orders, live, storeName, ServerLimits.DEFAULT);
    }

    static WebServer start(int port, Likes likes, Orders orders, Live live, String storeName, ServerLimits limits)
            throws IOException {
        WebServer web = new WebServer(live, limits);
        try {
            web.connector.setPort(port);
            web.connector.open();
            OwnAddresses addresses = new OwnAddresses(web.connector.getLocalPort());
            web.server.setHandler(
                    handler(new Routes(likes, orders, live, new Page(storeName), web.viewers, addresses, limits)));
            web.server.start();
            return web;
        } catch (Exception e) {
            web.close();
            throw e instanceof IOException failure ? failure : new IOException("the server could not be started", e);
        }
    }

    private static Handler handler(Routes routes) {
        return new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                routes.handle(new Exchange(request, response, callback));
                return true;
            }
        };
    }

    /** Replies to requests that are not HTTP. */
    private static boolean refuse(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        new Exchange(request, response, callback)
                .reply(status, Exchange.TEXT, "Not understood: " + HttpStatus.getMessage(status) + "\n");
        return true;
    }

    /** Returns the address of the page. */
    public URI address() {
        return URI.create("http://" + OwnAddresses.HOST + ":" + connector.getLocalPort() + "/");
    }

    @Override
    public void close() {
        viewers.close();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server could not be stopped", e);
        }
    }
}
