package io.counterkit.spi;

import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes failures and names in messages, including failures that have no message. */
public final class Reasons {
    /** More causes than any failure has. */
    private static final int MAX_DEPTH = 100;

    private static final String CLASS_NAME = "\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*: ";

    private Reasons() {}

    /** Returns a failure and its causes, the innermost last: at most 100, since causes may be circular. */
    public static Stream<Throwable> chain(Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_DEPTH);
    }

    /**
     * Returns the reason of a failure, without the wrappers of futures: its message, or else the first message of its
     * causes, or else its type in words. Never empty.
     */
    public static String of(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        return chain(cause)
                .map(Throwable::getMessage)
                .filter(message -> message != null && !message.isBlank())
                .findFirst()
                .orElseGet(() -> withoutMessage(cause));
    }

    /** Returns the reason of a failure without a message. */
    private static String withoutMessage(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return "the store did not answer in time";
        }
        return failure instanceof InterruptedException ? "the thread was interrupted" : typeInWords(failure);
    }

    /**
     * Returns the reason of a failure in one line, without the names of classes, followed by the reason of the
     * innermost cause if the first does not contain it. Never empty.
     */
    public static String inOneLine(Throwable failure) {
        Throwable innermost = chain(failure).reduce(failure, (outer, inner) -> inner);
        String reason = firstLine(failure);
        String detail = (innermost instanceof UnknownHostException ? "unknown host " : "") + firstLine(innermost);
        return reason.contains(detail) ? reason : reason.replaceFirst("\\.$", "") + ": " + detail;
    }

    /** Returns the first line of the reason of a failure. */
    private static String firstLine(Throwable failure) {
        String first = of(failure)
                .lines()
                .findFirst()
                .orElse("")
                .replaceAll(CLASS_NAME, "")
                .strip();
        return first.isEmpty() ? typeInWords(failure) : first;
    }

    /** Returns a single name in quotes, or otherwise the number of names: "'likes'", "1000 names". */
    public static String names(Collection<String> names) {
        return names.size() == 1 ? "'" + names.iterator().next() + "'" : names.size() + " names";
    }

    /** Returns "closed channel, without a reason" for a ClosedChannelException. */
    private static String typeInWords(Throwable failure) {
        String type = failure.getClass().getSimpleName().replaceAll("(?<=.)(Exception|Error)$", "");
        String words = type.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return words.isEmpty() ? "it gave no reason" : words + ", without a reason";
    }
}
