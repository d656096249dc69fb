package io.counterkit.datastore.cloud.internal.client;

import com.google.api.client.http.HttpRequestInitializer;
import com.google.cloud.ServiceOptions;
import com.google.cloud.http.HttpTransportOptions;
import io.counterkit.spi.Call;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transport of a client that sets a timeout for each call. The client has no parameter for it, but prepares each
 * request on the calling thread.
 */
final class CallTimeouts extends HttpTransportOptions {
    private static final long serialVersionUID = 1;

    /** The shortest timeout of a call. A shorter one would only make the outcome unknown. */
    private static final long LEAST_MILLIS = 50;

    /** The longest timeout of a call. */
    private static final int MOST_MILLIS = 10_000;

    /** The timeout of calls that the application makes in its transaction. */
    private static final int APPLICATIONS_MILLIS = 20_000;

    private static final ThreadLocal<@Nullable Integer> MILLIS = new ThreadLocal<>();

    CallTimeouts(HttpTransportOptions given) {
        super(given.toBuilder().setConnectTimeout(APPLICATIONS_MILLIS).setReadTimeout(APPLICATIONS_MILLIS));
    }

    @Override
    public HttpRequestInitializer getHttpRequestInitializer(ServiceOptions<?, ?> options) {
        HttpRequestInitializer given = super.getHttpRequestInitializer(options);
        return request -> {
            given.initialize(request);
            Integer millis = MILLIS.get();
            if (millis != null) {
                request.setConnectTimeout(millis);
                request.setReadTimeout(millis);
            }
        };
    }

    /**
     * Makes a call with a timeout of half of the caller's remaining time, which leaves time to resolve the outcome.
     */
    static <T> T within(Call call, Supplier<T> rpc) {
        MILLIS.set((int)
                Math.min(MOST_MILLIS, Math.max(LEAST_MILLIS, call.remaining().toMillis() / 2)));
        try {
            return rpc.get();
        } finally {
            MILLIS.remove();
        }
    }
}
