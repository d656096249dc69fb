package io.counterkit.spi;

import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Describes failures in messages, including those that have no message. */
public final class Reasons {
    private Reasons() {}

    /**
     * Returns the reason of a failure: its message without the wrappers of futures, or else that of its first cause that
     * has one, or else its type in words. Never empty.
     */
    public static String of(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        for (@Nullable Throwable next = cause; next != null; next = next.getCause()) {
            String message = next.getMessage();
            if (message != null && !message.isBlank()) {
                return message;
            }
        }
        if (cause instanceof TimeoutException) {
            return "the store did not answer in time";
        }
        return cause instanceof InterruptedException ? "the thread was interrupted" : words(cause);
    }

    /** Returns "closed channel, without a reason" for a ClosedChannelException. */
    private static String words(Throwable silent) {
        String type = silent.getClass().getSimpleName().replaceAll("(?<=.)(Exception|Error)$", "");
        String words = type.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return words.isEmpty() ? "it gave no reason" : words + ", without a reason";
    }
}
