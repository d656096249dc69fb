package io.counterkit.samples.h2;

import io.counterkit.NamePage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists names. */
final class Names {
    private Names() {}

    // docs: names
    /**
     * Returns one page. A prefix is literal, so it is not a pattern for LIKE: names with a common prefix follow one
     * another.
     *
     * @param from the table, and the condition that leaves one row of each name
     */
    static NamePage page(Connection connection, String from, String prefix, @Nullable String cursor, int limit)
            throws SQLException {
        String sql = "SELECT name FROM " + from + " AND name >= ? AND (? IS NULL OR name > ?) ORDER BY name LIMIT ?";
        List<String> names = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, prefix);
            select.setString(2, cursor);
            select.setString(3, cursor);
            select.setInt(4, limit + 1);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next() && rows.getString(1).startsWith(prefix)) {
                    names.add(rows.getString(1));
                }
            }
        }
        return names.size() <= limit
                ? new NamePage(names, null)
                : new NamePage(names.subList(0, limit), names.get(limit - 1));
    }
    // docs: end
}
