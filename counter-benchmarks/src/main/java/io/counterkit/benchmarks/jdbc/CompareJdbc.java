package io.counterkit.benchmarks.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Sequence;
import io.counterkit.benchmarks.Statistics;
import io.counterkit.benchmarks.jdbc.ClosedLoop.Operations;
import io.counterkit.benchmarks.jdbc.ClosedLoop.Rate;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/**
 * Compares adds and appends with plain SQL, each in turns with its rival, on an empty database. Arguments: a JDBC URL of
 * PostgreSQL or SQLite, rounds, seconds of a window. Prints medians of the rounds.
 */
public final class CompareJdbc {
    private final int rounds;
    private final double seconds;

    private CompareJdbc(int rounds, double seconds) {
        this.rounds = rounds;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws Exception {
        boolean isSqlite = args[0].startsWith("jdbc:sqlite:");
        CompareJdbc compare = new CompareJdbc(Integer.parseInt(args[1]), Double.parseDouble(args[2]));
        DataSource source = isSqlite ? sqlite(args[0]) : postgresql(args[0]);
        try (HikariDataSource pool = isSqlite ? null : pool(source);
                Counters counters = open(pool == null ? source : pool)) {
            compare.run(new PlainSql(source, isSqlite), counters);
        }
    }

    /** Opens counters that create their tables and wait long. */
    static Counters open(DataSource source) {
        JdbcCounterOptions tables =
                JdbcCounterOptions.builder().createTables(true).build();
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();
        return Counters.over(JdbcCounterBackend.create(source, tables), patient);
    }

    static DataSource sqlite(String url) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url);
        return source;
    }

    private static DataSource postgresql(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    private static HikariDataSource pool(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(JdbcCounterOptions.defaults().connections());
        return new HikariDataSource(config);
    }

    private void run(PlainSql plain, Counters counters) throws Exception {
        Operations one = () -> counters.counter("hot")::increment;
        Operations thousand = () -> {
            List<Counter> names = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                names.add(counters.counter("c" + i));
            }
            return () -> names.get(ThreadLocalRandom.current().nextInt(1_000)).increment();
        };
        Sequence orders = counters.sequence("orders");
        Operations append = () -> () -> orders.append(Map.of("customer", "c-17"));
        for (int inFlight : new int[] {1, 8, 64}) {
            compare(inFlight, "one counter", "UPDATE", () -> plain.update(1), one);
            compare(inFlight, "one counter", "upsert and token", () -> plain.upsertWithToken(1), one);
            compare(inFlight, "1,000 counters", "UPDATE", () -> plain.update(1_000), thousand);
            compare(inFlight, "one sequence", "UPDATE … RETURNING, insert", plain::append, append);
        }
    }

    private void compare(int inFlight, String what, String rival, Operations theirs, Operations ours) throws Exception {
        List<Rate> rivals = new ArrayList<>();
        List<Rate> own = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Rate rivalsRate = ClosedLoop.run(inFlight, seconds, theirs);
            Rate ownRate = ClosedLoop.run(inFlight, seconds, ours);
            if (round > 0) { // the first one warms up
                rivals.add(rivalsRate);
                own.add(ownRate);
            }
        }
        System.out.printf(
                "| %d | %s | %s | %,.0f | %.2f | %,.0f | %.2f | %.2f |%n",
                inFlight,
                what,
                rival,
                Statistics.of(rivals, Rate::perSecond).median(),
                Statistics.of(rivals, Rate::median).median(),
                Statistics.of(own, Rate::perSecond).median(),
                Statistics.of(own, Rate::median).median(),
                Statistics.of(own, Rate::perSecond).median()
                        / Statistics.of(rivals, Rate::perSecond).median());
    }
}
