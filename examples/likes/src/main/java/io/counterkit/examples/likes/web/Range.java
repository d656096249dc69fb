package io.counterkit.examples.likes.web;

/**
 * The numbers of the orders on one page.
 *
 * @param from the first number, at least 1
 */
record Range(long from) {
    /** How many orders are on a page. */
    static final int SIZE = 10;

    /** Returns the newest numbers. */
    static Range newest(long last) {
        return new Range(Math.max(1, last - SIZE + 1));
    }

    long to() {
        return from + SIZE - 1;
    }

    Range older() {
        return new Range(Math.max(1, from - SIZE));
    }

    Range newer() {
        return new Range(from + SIZE);
    }
}
