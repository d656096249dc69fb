package io.counterkit.firestore.internal.client;

import java.util.concurrent.TimeoutException;

/** {@link RetryingClient} has given up a request, since its deadline has passed or the backend was closed. */
public final class GivenUpException extends TimeoutException {
    private static final long serialVersionUID = 1;

    GivenUpException(String message) {
        super(message);
    }
}
