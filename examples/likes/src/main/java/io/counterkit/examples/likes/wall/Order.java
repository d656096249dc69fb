package io.counterkit.examples.likes.wall;

import java.time.Instant;

/**
 * A line of the order book: an order, or the cancellation of one. Each has a number of its own, as in any ledger.
 *
 * @param number its number
 * @param at when it was written
 * @param item what was ordered
 * @param quantity how many
 * @param cancels the number of the order that this line cancels; 0 if it is an order
 * @param cancelledBy the number of the line that cancels this order; 0 if it stands
 */
public record Order(long number, Instant at, String item, long quantity, long cancels, long cancelledBy) {
    /** Whether it is an order that stands. */
    public boolean stands() {
        return cancels == 0 && cancelledBy == 0;
    }
}
