package io.counterkit.examples.likes.wall;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order book: one sequence in which each order is a subject that is added, and removed when it is cancelled.
 * Thread-safe.
 */
public final class Orders {
    private static final String ITEM = "item";
    private static final String QUANTITY = "quantity";
    private static final String CANCELS = "cancels";

    private final Sequence book;
    private final Settler settler;
    private final Cancellations cancellations;

    /** The order book of a store. */
    public Orders(Counters counters, Settler settler) {
        this.book = counters.sequence("orders");
        this.settler = settler;
        this.cancellations = new Cancellations(book, CANCELS);
    }

    /** Places an order, which gets the next number; once for this click. */
    public Answer place(String item, long quantity, String click) {
        IdempotencyToken token = token(click);
        return settler.attempt(
                token,
                () -> book.append(Change.ADDED, click, Map.of(ITEM, item, QUANTITY, quantity), token)
                        .number());
    }

    /** Cancels the order with this number; that gets a number too. */
    public Answer cancel(long number, String click) {
        List<Entry> found;
        try {
            found = book.read(number, number);
        } catch (NotAppliedException e) {
            return Answer.notApplied(e);
        }
        String order = found.isEmpty() ? null : found.get(0).subject();
        if (order == null || found.get(0).change() != Change.ADDED) {
            return Answer.refused("number " + number + " is no order");
        }
        Map<String, Object> fields = Map.of(
                CANCELS, number,
                ITEM, found.get(0).fields().getOrDefault(ITEM, ""),
                QUANTITY, found.get(0).fields().getOrDefault(QUANTITY, 0L));
        IdempotencyToken token = token(click);
        return settler.attempt(
                token, () -> book.append(Change.REMOVED, order, fields, token).number());
    }

    /** What is known of a click whose outcome was unknown once, or null. */
    public @Nullable Answer answer(String click) {
        return settler.answer(token(click));
    }

    private static IdempotencyToken token(String click) {
        return IdempotencyToken.of("order/" + click);
    }

    /**
     * The lines with these numbers.
     *
     * @throws NotAppliedException if the store cannot be read
     */
    public List<Order> lines(long from, long to) {
        List<Entry> entries = book.read(from, to);
        Map<Long, Long> cancelledBy = cancellations.upToNow();
        return entries.stream()
                .map(entry -> new Order(
                        entry.number(),
                        entry.appendedAt(),
                        String.valueOf(entry.fields().getOrDefault(ITEM, "")),
                        number(entry, QUANTITY),
                        number(entry, CANCELS),
                        cancelledBy.getOrDefault(entry.number(), 0L)))
                .toList();
    }

    private static long number(Entry entry, String field) {
        return entry.fields().get(field) instanceof Long value ? value : 0;
    }

    /**
     * How many numbers were given out, and how many orders stand.
     *
     * @throws NotAppliedException if the store cannot be read
     */
    public Tail tail() {
        return book.tail();
    }
}
