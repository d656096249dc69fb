package io.counterkit.examples.likes.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** A request and its response. */
final class Exchange {
    static final String TEXT = "text/plain; charset=utf-8";

    private static final HttpFields HEADERS = HttpFields.from(
            new HttpField(HttpHeader.CACHE_CONTROL, "no-store"),
            new HttpField("X-Content-Type-Options", "nosniff"),
            new HttpField("Referrer-Policy", "same-origin"),
            new HttpField(
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self';"
                            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"));

    private final Request request;
    private final Response response;
    private final Callback callback;

    Exchange(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    String method() {
        return request.getMethod();
    }

    String path() {
        return String.valueOf(request.getHttpURI().getPath());
    }

    boolean wantsJson() {
        return header(HttpHeader.ACCEPT).contains("application/json");
    }

    /** Returns a header; empty if it is missing. */
    String header(HttpHeader name) {
        String value = request.getHeaders().get(name);
        return value == null ? "" : value;
    }

    Form query() {
        return Form.parse(request.getHttpURI().getQuery());
    }

    /**
     * Passes the body to {@code receiver} when it has arrived, without holding a thread. Passes an
     * {@link IllegalStateException} if it is too large, another exception if it takes too long.
     */
    void body(int atMostBytes, Duration atMost, BiConsumer<@Nullable String, @Nullable Throwable> receiver) {
        Scheduler.Task end = request.getComponents()
                .getScheduler()
                .schedule(
                        () -> request.fail(new TimeoutException("the body takes too long")),
                        atMost.toMillis(),
                        TimeUnit.MILLISECONDS);
        Content.Source.asByteArrayAsync(
                request,
                atMostBytes,
                // The receiver may wait for the store, so it must not run on the thread that serves all connections.
                Promise.Invocable.from(Invocable.InvocationType.BLOCKING, (bytes, failure) -> {
                    end.cancel();
                    receiver.accept(bytes == null ? null : new String(bytes, StandardCharsets.UTF_8), failure);
                }));
    }

    void reply(int status, String contentType, byte[] body) {
        begin(status, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    void reply(int status, String contentType, String body) {
        reply(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Redirects the browser with a GET, so that a reload repeats nothing. */
    void redirect(String location) {
        begin(303, TEXT);
        response.getHeaders().put(HttpHeader.LOCATION, location);
        response.write(true, null, callback);
    }

    /** Replies with the reason of a failure, and closes the connection. */
    void hangUp(int status, String why) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        reply(status, TEXT, why);
    }

    /** Begins a response of unknown length. */
    void begin(int status, String contentType) {
        response.setStatus(status);
        response.getHeaders().add(HEADERS).put(HttpHeader.CONTENT_TYPE, contentType);
    }

    /** Sends a part of the response; send the next one after {@code sent} has completed. */
    void send(String part, Callback sent) {
        response.write(false, ByteBuffer.wrap(part.getBytes(StandardCharsets.UTF_8)), sent);
    }

    /** Ends an incomplete response. */
    void abandon(Throwable cause) {
        callback.failed(cause);
    }
}
