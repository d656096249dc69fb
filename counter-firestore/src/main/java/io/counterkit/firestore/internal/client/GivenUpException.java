package io.counterkit.firestore.internal.client;

import java.util.concurrent.TimeoutException;

/** {@link RetryingClient} has given up a request, since its deadline has passed or the backend was closed. */
public final class GivenUpException extends TimeoutException {
    private static final long serialVersionUID = 1;

    private final boolean isSent;

    private GivenUpException(String message, boolean isSent) {
        super(message);
        this.isSent = isSent;
    }

    /** Returns the failure of a request that was sent, and may be applied later. */
    static GivenUpException sent(String message) {
        return new GivenUpException(message, true);
    }

    /** Returns the failure of a request that was not sent. */
    static GivenUpException unsent(String message) {
        return new GivenUpException(message, false);
    }

    /** Returns the failure of a request that was not sent because the backend was closed. */
    static GivenUpException closed() {
        return unsent("the backend was closed");
    }

    /** Returns whether the request was sent. */
    public boolean isSent() {
        return isSent;
    }
}
