package io.counterkit.jdbc.internal.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of statements. */
final class Parameters {
    private static final String KEYS = ":keys";

    private Parameters() {}

    /** Returns the statement with a parameter for each key, padded to a power of two so that few statements differ. */
    static String expand(String sql, @Nullable Object... parameters) {
        for (@Nullable Object parameter : parameters) {
            if (parameter instanceof Collection<?> keys) {
                return sql.replace(KEYS, "?" + ", ?".repeat(padded(keys.size()) - 1));
            }
        }
        return sql;
    }

    private static int padded(int size) {
        return size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    }

    /** Sets the parameters from index {@code first} on. */
    static void set(PreparedStatement statement, int first, @Nullable Object... parameters) throws SQLException {
        int index = first;
        for (@Nullable Object parameter : parameters) {
            if (parameter instanceof Collection<?> keys) {
                List<@Nullable Object> values = new ArrayList<>(keys);
                if (values.isEmpty()) {
                    values.add(null); // equals no key
                }
                for (int i = 0; i < padded(values.size()); i++) {
                    setOne(statement, index++, values.get(Math.min(i, values.size() - 1)));
                }
            } else {
                setOne(statement, index++, parameter);
            }
        }
    }

    private static void setOne(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof String text) {
            statement.setString(index, text);
        } else if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof Boolean flag) {
            statement.setBoolean(index, flag);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else if (value instanceof @Nullable Object[] array) {
            String type = Insert.Type.of(array.getClass().getComponentType()).word;
            statement.setArray(index, statement.getConnection().createArrayOf(type, array));
        } else if (value == null) {
            statement.setNull(index, Types.VARCHAR); // only texts can be null
        } else {
            throw new IllegalArgumentException("a parameter of " + value.getClass());
        }
    }

    static <T> List<T> read(ResultSet rows, Session.RowReader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
            found.add(reader.read(rows));
        }
        return found;
    }

    /** Returns one column of rows as an array of this type. */
    static @Nullable Object[] column(List<@Nullable Object[]> rows, int column, Class<?> type) {
        @Nullable Object[] values = (@Nullable Object[]) java.lang.reflect.Array.newInstance(type, rows.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i)[column];
        }
        return values;
    }

    static @Nullable Object[] join(@Nullable Object[] some, @Nullable Object... others) {
        @Nullable Object[] all = Arrays.copyOf(some, some.length + others.length);
        System.arraycopy(others, 0, all, some.length, others.length);
        return all;
    }
}
