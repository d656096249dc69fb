package io.counterkit.benchmarks.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.benchmarks.Statistics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Fills an empty database with counters, and a tenth as many entries of one sequence. Then measures reads, and the size
 * of a row on disk.
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.jdbc.ManyCounters URL [counters]
 * }</pre>
 */
public final class ManyCounters {
    private static final String PREFIX = "posts/";
    private static final int AT_ONCE = 10_000;

    private final Counters counters;
    private final int many;

    private ManyCounters(Counters counters, int many) {
        this.counters = counters;
        this.many = many;
    }

    public static void main(String[] args) throws SQLException {
        int many = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        if (args[0].startsWith("jdbc:sqlite:")) {
            run(
                    CompareJdbc.sqlite(args[0]),
                    many,
                    "SELECT sum(pgsize), (SELECT count(*) FROM %1$s) FROM dbstat WHERE name LIKE '%%%1$s%%'");
        } else {
            try (HikariDataSource pool = CompareJdbc.postgres(args[0])) {
                run(pool, many, "SELECT pg_total_relation_size('%1$s'), count(*) FROM %1$s");
            }
        }
    }

    private static void run(DataSource source, int many, String size) throws SQLException {
        try (Counters counters = CompareJdbc.open(source, false)) {
            new ManyCounters(counters, many).run();
        }
        for (String table : List.of("counterkit_counters", "counterkit_tokens", "counterkit_entries")) {
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet bytes = statement.executeQuery(size.formatted(table))) {
                bytes.next();
                long rows = bytes.getLong(2);
                System.out.printf("%s: %,d rows of %,d bytes%n", table, rows, bytes.getLong(1) / rows);
            }
        }
    }

    private static String name(int number) {
        return PREFIX + number + "/likes";
    }

    private void run() {
        each(many, i -> counters.counter(name(i)).async().add(i + 1));
        each(many / 10, i -> counters.sequence("orders").async().append(Map.of("n", "abcd")));
        report(
                "one counter",
                1_000,
                () -> counters.counter(name(ThreadLocalRandom.current().nextInt(many)))
                        .get());
        @Nullable NamePage[] page = {null};
        report("a page of 1,000 names", many / 1_000, () -> {
            NamePage last = page[0];
            page[0] = counters.counterNames(PREFIX, last == null ? null : last.next(), 1_000);
        });
        report("the largest ten", 5, () -> counters.top(PREFIX, 10));
    }

    /** Makes changes, many at once. */
    private static void each(int changes, IntFunction<CompletableFuture<?>> change) {
        List<CompletableFuture<?>> made = new ArrayList<>();
        for (int i = 0; i < changes; i++) {
            made.add(change.apply(i));
            if (made.size() == AT_ONCE || i == changes - 1) {
                made.forEach(CompletableFuture::join);
                made.clear();
            }
        }
    }

    private static void report(String what, int times, Runnable read) {
        long[] nanos = new long[times];
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            read.run();
            nanos[i] = System.nanoTime() - start;
        }
        System.out.printf("%s: %s ms%n", what, Statistics.ofNanos(nanos).format("%.2f"));
    }
}
