package io.counterkit.examples.likes.wall;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The order book: one sequence. An order is a subject that is added; its cancellation removes the subject. Thread-safe.
 */
public final class Orders {
    private static final String ITEM = "item";
    private static final String QUANTITY = "quantity";
    private static final String CANCELS = "cancels";
    private static final int PAGE = 1000;

    private final Sequence book;
    private final Settler settler;

    /**
     * The cancellations among the first {@link #seen} entries, by the order's number. Entries never change, so this
     * process reads each once. A shop would keep a table of its orders beside the book.
     */
    private final Map<Long, Long> cancelledBy = new HashMap<>();

    private long seen;

    /** Creates the order book of a store. */
    public Orders(Counters counters, Settler settler) {
        this.book = counters.sequence("orders");
        this.settler = settler;
    }

    /** Places an order, which gets the next number; once for each click. */
    public Answer place(String item, long quantity, String click) {
        return append(Change.ADDED, click, Map.of(ITEM, item, QUANTITY, quantity), click);
    }

    /** Cancels the order with this number; the cancellation gets the next number. */
    public Answer cancel(long number, String click) {
        List<Entry> entries;
        try {
            entries = book.read(number, number);
        } catch (NotAppliedException e) {
            return Answer.notApplied(e);
        }
        String order = entries.isEmpty() ? null : entries.get(0).subject();
        if (order == null || entries.get(0).change() != Change.ADDED) {
            return Answer.refused("number " + number + " is not an order");
        }
        Map<String, Object> fields = new HashMap<>(entries.get(0).fields());
        fields.put(CANCELS, number);
        return append(Change.REMOVED, order, fields, click);
    }

    private Answer append(Change change, String order, Map<String, Object> fields, String click) {
        IdempotencyToken token = token(click);
        return settler.apply(
                token, () -> book.append(change, order, fields, token).number());
    }

    private static IdempotencyToken token(String click) {
        return IdempotencyToken.of("order/" + click);
    }

    /** Returns the answer to a click whose outcome was unknown, or null. */
    public @Nullable Answer answer(String click) {
        return settler.answer(token(click));
    }

    /**
     * Reads the lines with these numbers.
     *
     * @throws NotAppliedException if the store cannot be read
     */
    public List<Order> lines(long from, long to) {
        List<Entry> entries = book.read(from, to);
        Map<Long, Long> cancellations = readCancellations();
        return entries.stream()
                .map(entry -> new Order(
                        entry.number(),
                        entry.appendedAt(),
                        String.valueOf(entry.fields().getOrDefault(ITEM, "")),
                        number(entry, QUANTITY),
                        number(entry, CANCELS),
                        cancellations.getOrDefault(entry.number(), 0L)))
                .toList();
    }

    private synchronized Map<Long, Long> readCancellations() {
        List<Entry> page;
        do {
            page = book.read(seen + 1, seen + PAGE);
            page.forEach(this::record);
        } while (page.size() == PAGE);
        return Map.copyOf(cancelledBy);
    }

    /** Records an entry, unless it is known: a page and the follower may both have read it. */
    private synchronized void record(Entry entry) {
        if (entry.number() <= seen) {
            return;
        }
        if (entry.change() == Change.REMOVED) {
            cancelledBy.put(number(entry, CANCELS), entry.number());
        }
        seen = entry.number();
    }

    /**
     * Follows the book from the first line on that this process has not seen.
     *
     * @param lines receives the end of the book after each line
     * @param failures receives the reason if the book cannot be read
     */
    Follower follow(Duration cadence, Consumer<Tail> lines, Consumer<Throwable> failures) {
        long next;
        synchronized (this) {
            next = seen + 1;
        }
        FollowOptions options = FollowOptions.defaults().withCadence(cadence).withFailures(failures);
        return book.follow(next, options, entry -> {
            record(entry);
            lines.accept(new Tail(entry.number(), entry.liveCount(), null));
        });
    }

    private static long number(Entry entry, String field) {
        return entry.fields().get(field) instanceof Long value ? value : 0;
    }

    /**
     * Reads the last number and the count of active orders.
     *
     * @throws NotAppliedException if the store cannot be read
     */
    public Tail tail() {
        return book.tail();
    }
}
