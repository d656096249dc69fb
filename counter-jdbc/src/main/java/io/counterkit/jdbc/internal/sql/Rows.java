package io.counterkit.jdbc.internal.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows to insert. Every transaction inserts the rows of a table in the order of their keys, so that no two transactions
 * wait for each other.
 *
 * @param insert the table
 * @param values the values of each row, in the order of the columns
 */
public record Rows(Insert insert, List<@Nullable Object[]> values) {
    /** Returns whether there is one row. */
    boolean isOne() {
        return values.size() == 1;
    }

    public static Rows one(Insert insert, @Nullable Object... values) {
        return new Rows(insert, List.<@Nullable Object[]>of(values));
    }
}
