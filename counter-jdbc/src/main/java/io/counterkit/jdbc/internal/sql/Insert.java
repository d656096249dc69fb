package io.counterkit.jdbc.internal.sql;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Inserts rows into a table, which the rest of the statement names {@code t}. Immutable. */
public final class Insert {
    private final String table;
    private final List<Column> columns;
    private final List<String> computed;
    private final List<String> expressions;
    private final String onConflict;
    private final String effect;
    private final String oneRow;

    /**
     * @param table the table, qualified
     * @param columns the columns with a value in each row; the first one identifies the row
     * @param computed the columns that the database computes, after the others
     * @param expressions the values of the computed columns
     * @param onConflict the text after {@code ON CONFLICT}
     * @param effect an expression that the database evaluates for each row that it returns; may be empty
     */
    private Insert(
            String table,
            List<Column> columns,
            List<String> computed,
            List<String> expressions,
            String onConflict,
            String effect) {
        this.table = table;
        this.columns = columns;
        this.computed = computed;
        this.expressions = expressions;
        this.onConflict = onConflict;
        this.effect = effect;
        this.oneRow = into() + " VALUES (?" + ", ?".repeat(columns.size() - 1) + moreValues() + ")" + end();
    }

    /** The type of a column. */
    enum Type {
        TEXT("text", String.class),
        BIGINT("bigint", Long.class),
        BOOLEAN("boolean", Boolean.class),
        BYTES("bytea", byte[].class);

        /** The type's name in PostgreSQL. */
        final String word;

        /** The type of the values. */
        final Class<?> type;

        Type(String word, Class<?> type) {
            this.word = word;
            this.type = type;
        }

        /** Returns the type of values of a class. */
        static Type of(Class<?> type) {
            for (Type each : values()) {
                if (each.type == type) {
                    return each;
                }
            }
            throw new IllegalArgumentException("a parameter of " + type);
        }
    }

    /**
     * A column.
     *
     * @param name its name
     * @param type its type
     */
    record Column(String name, Type type) {}

    static Insert of(String table, String onConflict, Column... columns) {
        return new Insert(table, List.of(columns), List.of(), List.of(), onConflict, "");
    }

    Insert withColumn(String name, Type type) {
        return new Insert(table, and(columns, new Column(name, type)), computed, expressions, onConflict, effect);
    }

    Insert withOnConflict(String action) {
        return new Insert(table, columns, computed, expressions, action, effect);
    }

    Insert withComputed(String column, String expression) {
        return new Insert(table, columns, and(computed, column), and(expressions, expression), onConflict, effect);
    }

    /** Evaluates this expression for each row that is written; empty for none. */
    Insert withEffect(String expression) {
        return new Insert(table, columns, computed, expressions, onConflict, expression);
    }

    private static <T> List<T> and(List<T> some, T another) {
        return Stream.concat(some.stream(), Stream.of(another)).toList();
    }

    /** Returns the columns with a value in each row. */
    List<Column> columns() {
        return columns;
    }

    /** Returns the statement for one row, with a parameter for each column. */
    String oneRow() {
        return oneRow;
    }

    /** Returns the statement for one row, with a parameter for each column, that inserts it only {@code where}. */
    String oneRowWhere(String where) {
        String values =
                columns.stream().map(column -> "?::" + column.type().word).collect(Collectors.joining(", "));
        return into() + " SELECT " + values + moreValues() + where + end();
    }

    /** Returns the statement for many rows, with an array for each column, that inserts them only {@code where}. */
    String unnested(String where) {
        String arrays = columns.stream()
                .map(column -> "?::" + column.type().word + "[]")
                .collect(Collectors.joining(", "));
        return into() + " SELECT " + names() + moreValues() + " FROM unnest(" + arrays + ") AS r(" + names() + ")"
                + where + end();
    }

    /** Returns the clause that returns the first column, and then the effect. */
    String returning() {
        return " RETURNING t." + columns.get(0).name() + (effect.isEmpty() ? "" : ", " + effect);
    }

    private String into() {
        String more = computed.stream().map(name -> ", " + name).collect(Collectors.joining());
        return "INSERT INTO " + table + " AS t (" + names() + more + ")";
    }

    private String end() {
        return " ON CONFLICT " + onConflict;
    }

    private String names() {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private String moreValues() {
        return expressions.stream().map(expression -> ", " + expression).collect(Collectors.joining());
    }
}
