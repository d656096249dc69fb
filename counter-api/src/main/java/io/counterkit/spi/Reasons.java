package io.counterkit.spi;

import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Says in messages why something failed, whatever a store or its client threw, with a message of its own or without. */
public final class Reasons {
    private Reasons() {}

    /**
     * Returns why something failed: the message of {@code failure} without the wrappers of futures, or else of the first
     * of its causes that has one, or else words for its type. Never empty.
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

    /** "ClosedChannelException" as "closed channel", without a reason. */
    private static String words(Throwable silent) {
        String type = silent.getClass().getSimpleName().replaceAll("(?<=.)(Exception|Error)$", "");
        String words = type.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return words.isEmpty() ? "it gave no reason" : words + ", without a reason";
    }
}
