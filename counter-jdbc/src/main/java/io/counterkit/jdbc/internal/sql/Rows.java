package io.counterkit.jdbc.internal.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows to insert. Each table's rows come in the order of their keys in every transaction, so that no two transactions wait
 * for each other.
 *
 * @param insert the table
 * @param values the values of each row, in the order of the columns
 */
public record Rows(Insert insert, List<@Nullable Object[]> values) {}
