package io.counterkit.examples.likes.wall;

import java.time.Instant;

/**
 * A line of the order book: an order, or the cancellation of one. Each has its own number, as in any ledger.
 *
 * @param number its number
 * @param at when it was appended
 * @param item the ordered item
 * @param quantity how many of it
 * @param cancels the number of the order that this line cancels; 0 if it is an order
 * @param cancelledBy the number of the line that cancels this order; 0 if there is none
 */
public record Order(long number, Instant at, String item, long quantity, long cancels, long cancelledBy) {
    /** Returns whether this is an order that is not cancelled. */
    public boolean isActive() {
        return cancels == 0 && cancelledBy == 0;
    }
}
