package io.counterkit.examples.likes.wall;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which orders are cancelled, found by reading along in the order book: entries never change, so each is read once by a
 * process. Enough for a demonstration; a shop would keep a table of its orders beside the book. Thread-safe.
 */
final class Cancellations {
    private static final int PAGE = 1000;

    private final Sequence book;
    private final String field;
    private final Map<Long, Long> cancelledBy = new HashMap<>();
    private long seen;

    Cancellations(Sequence book, String field) {
        this.book = book;
        this.field = field;
    }

    /** The number of the line that cancels an order, by the order's number. */
    synchronized Map<Long, Long> upToNow() {
        List<Entry> read;
        do {
            read = book.read(seen + 1, seen + PAGE);
            for (Entry entry : read) {
                if (entry.change() == Change.REMOVED && entry.fields().get(field) instanceof Long order) {
                    cancelledBy.put(order, entry.number());
                }
            }
            seen += read.size();
        } while (read.size() == PAGE);
        return Map.copyOf(cancelledBy);
    }
}
