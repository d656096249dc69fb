package io.counterkit.jdbc.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names of the tables, and the version that this code reads and writes.
 *
 * @param schema the schema that has them; null for the first one in the search path that has them
 * @param prefix the prefix of their names
 */
public record Schema(@Nullable String schema, String prefix) {
    /** The version of the tables. */
    public static final long VERSION = 1;

    /** The names of the tables without the prefix. */
    private static final List<String> NAMES =
            List.of("counters", "sequences", "entries", "subjects", "tokens", "imports", "version");

    /** The names of the tables without the prefix, as a regular expression. */
    static final String TABLES = "(" + String.join("|", NAMES) + ")";

    private static final String DEFAULT_PREFIX = "counterkit_";

    /** Returns the qualified name of a table. */
    String table(String name) {
        return (schema == null ? "" : "\"" + schema.replace("\"", "\"\"") + "\".") + prefix + name;
    }

    /** Returns the names of all tables, as a list of texts in SQL. */
    String tables() {
        return NAMES.stream().map(name -> "'" + prefix + name + "'").collect(Collectors.joining(", "));
    }

    /**
     * Returns the channel of the notifications of appends. Schemas may share it, since an unneeded notification only
     * costs a read.
     */
    public String channelOfSequences() {
        return prefix + "sequences";
    }

    /** Returns the channel of the notifications of changed totals, which schemas may share too. */
    public String channelOfCounters() {
        return prefix + "counters";
    }

    /** Returns the statements that create the tables, in the schema that is first in the search path. */
    List<String> statements(String file) {
        String sql = read(file).replaceAll("(?m)^--.*$", "").replace(DEFAULT_PREFIX, prefix);
        return Arrays.stream(sql.split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static String read(String file) {
        try (InputStream in = Schema.class.getResourceAsStream("/counterkit-sql/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the file counterkit-sql/" + file + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
