package io.counterkit.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The texts of the statements that insert rows, which depend on the inserts and on whether each has one row or several.
 * Each text is created once: creating it takes longer than sending it, and the driver finds its prepared statement by
 * the text. Thread-safe.
 */
final class PostgresTexts {
    private final Map<List<Object>, String> inserts = new ConcurrentHashMap<>();
    private final Map<List<Object>, String> insertsOfAll = new ConcurrentHashMap<>();
    private final Map<String, String> limited = new ConcurrentHashMap<>();

    /** Returns a statement after the one that sets its limits. */
    String limited(String sql) {
        return limited.computeIfAbsent(sql, PostgresSession.LIMITS::concat);
    }

    /** Returns a statement for each group of rows that is not empty, which returns the first column of its rows. */
    String insert(List<Rows> groups) {
        return inserts.computeIfAbsent(shape(groups), shape -> {
            StringBuilder sql = new StringBuilder();
            for (Rows group : groups) {
                if (!group.values().isEmpty()) {
                    Insert insert = group.insert();
                    sql.append(group.isOne() ? insert.oneRow() : insert.unnested(""));
                    sql.append(insert.returning()).append("; ");
                }
            }
            return sql.toString();
        });
    }

    /**
     * Returns one statement that writes all groups or nothing. It returns 1, or 0 if no row of the first group was
     * written, and otherwise fails. Each part waits for all rows of the part before it, so that all transactions lock
     * the tables in the same order; after its rows, its parameter is the number of those rows. The last parameter is
     * the number of the last rows.
     */
    String insertAll(List<Rows> groups) {
        return insertsOfAll.computeIfAbsent(shape(groups), shape -> {
            StringBuilder parts = new StringBuilder();
            String where = "";
            for (int i = 0; i < groups.size(); i++) {
                Insert insert = groups.get(i).insert();
                parts.append(i == 0 ? "WITH p" : ", p").append(i).append(" AS (");
                parts.append(groups.get(i).isOne() ? insert.oneRowWhere(where) : insert.unnested(where));
                parts.append(insert.returning()).append(")");
                where = " WHERE (SELECT count(*) FROM p" + i + ") = ?";
            }
            return parts + " SELECT (CASE WHEN count(*) = ? THEN '1' WHEN EXISTS (SELECT FROM p0) THEN "
                    + Statements.FAILURE + " ELSE '0' END)::int FROM p" + (groups.size() - 1);
        });
    }

    private static List<Object> shape(List<Rows> groups) {
        List<Object> shape = new ArrayList<>();
        for (Rows group : groups) {
            shape.add(group.insert());
            shape.add(Math.min(2, group.values().size()));
        }
        return shape;
    }
}
