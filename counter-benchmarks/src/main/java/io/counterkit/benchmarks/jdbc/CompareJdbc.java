package io.counterkit.benchmarks.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Sequence;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.benchmarks.Statistics;
import io.counterkit.benchmarks.jdbc.ClosedLoop.Operation;
import io.counterkit.benchmarks.jdbc.ClosedLoop.Operations;
import io.counterkit.benchmarks.jdbc.ClosedLoop.Rate;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/**
 * Compares adds and appends with plain SQL, each in turns with its rival, on an empty database. Prints medians of the
 * rounds, and the range of the ratios.
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.jdbc.CompareJdbc URL [rounds [seconds]]
 *     [only=regex] [warmup=rounds]
 * }</pre>
 */
public final class CompareJdbc {
    private static final String ONLY = "only";
    private static final String WARM_UP = "warmup";
    private static final int[] IN_FLIGHT = {1, 8, 64};

    private final int rounds;
    private final double seconds;
    private final int warmUp;
    private final Pattern only;

    private CompareJdbc(Arguments arguments) {
        this.rounds = (int) arguments.numberAt(0, 5);
        this.seconds = arguments.numberAt(1, 2);
        this.warmUp = Integer.parseInt(arguments.named(WARM_UP, "1"));
        this.only = Pattern.compile(arguments.named(ONLY, ""));
    }

    public static void main(String[] args) throws Exception {
        String url = args[0];
        CompareJdbc compare = new CompareJdbc(Arguments.of(Arrays.copyOfRange(args, 1, args.length), ONLY, WARM_UP));
        if (url.startsWith("jdbc:sqlite:")) {
            DataSource source = sqlite(url);
            try (Counters counters = open(source, false)) {
                compare.run(new PlainSql(source, true), counters);
            }
            return;
        }
        try (HikariDataSource pool = postgres(url);
                HikariDataSource otherPool = postgres(url);
                Counters counters = open(pool, false);
                Counters notifying = open(otherPool, true)) {
            compare.run(new PlainSql(driver(url), false), counters);
            compare.runNotifying(counters, notifying);
        }
    }

    /** Opens counters with a long deadline, and creates their tables. */
    static Counters open(DataSource source, boolean notifies) {
        JdbcCounterOptions options = JdbcCounterOptions.builder()
                .createTables(true)
                .notifications(notifies)
                .build();
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();
        return Counters.over(JdbcCounterBackend.create(source, options), patient);
    }

    static DataSource sqlite(String url) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url);
        return source;
    }

    private static DataSource driver(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    static HikariDataSource postgres(String url) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(driver(url));
        config.setMaximumPoolSize(JdbcCounterOptions.defaults().connections());
        return new HikariDataSource(config);
    }

    private void run(PlainSql plain, Counters counters) throws Exception {
        Operations one = () -> counters.counter("hot")::increment;
        Operations thousand = thousand(counters);
        Sequence orders = counters.sequence("orders");
        Operations append = () -> () -> orders.append(Map.of("customer", "c-17"));
        for (int inFlight : IN_FLIGHT) {
            compare(inFlight, "one counter", "UPDATE", () -> plain.update(1), one);
            compare(inFlight, "one counter", "upsert and token", () -> plain.upsertWithToken(1), one);
            compare(inFlight, "1,000 counters", "UPDATE", () -> plain.update(1_000), thousand);
            compare(inFlight, "one sequence", "UPDATE … RETURNING, insert", plain::append, append);
        }
        compare(
                1,
                "one counter",
                "upsert and token by a thread of a pool",
                () -> byPool(plain.upsertWithToken(1)),
                one);
        compare(
                1,
                "one sequence",
                "UPDATE … RETURNING, insert by a thread of a pool",
                () -> byPool(plain.append()),
                append);
    }

    /** Returns an operation that waits for a thread of a pool, as callers of the library do. */
    private static Operation byPool(Operation operation) {
        ExecutorService pool =
                Executors.newFixedThreadPool(JdbcCounterOptions.defaults().connections());
        return new Operation() {
            @Override
            public void run() throws Exception {
                pool.submit(() -> {
                            operation.run();
                            return true;
                        })
                        .get();
            }

            @Override
            public void close() throws SQLException {
                pool.shutdown();
                operation.close();
            }
        };
    }

    private void runNotifying(Counters counters, Counters notifying) throws Exception {
        for (int inFlight : IN_FLIGHT) {
            Operations one = () -> counters.counter("hot")::increment;
            Operations oneNotifying = () -> notifying.counter("hot")::increment;
            compare(inFlight, "one counter, notifying", "the same, not notifying", one, oneNotifying);
            compare(
                    inFlight,
                    "1,000 counters, notifying",
                    "the same, not notifying",
                    thousand(counters),
                    thousand(notifying));
        }
    }

    private static Operations thousand(Counters counters) {
        return () -> {
            List<Counter> names = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                names.add(counters.counter("c" + i));
            }
            return () -> names.get(ThreadLocalRandom.current().nextInt(1_000)).increment();
        };
    }

    private void compare(int inFlight, String what, String rival, Operations theirs, Operations ours) throws Exception {
        if (!only.matcher(inFlight + " | " + what + " | " + rival).find()) {
            return;
        }
        List<Round> measured = new ArrayList<>();
        for (int round = 0; round < warmUp + rounds; round++) {
            Round both = new Round(ClosedLoop.run(inFlight, seconds, theirs), ClosedLoop.run(inFlight, seconds, ours));
            if (round >= warmUp) {
                measured.add(both);
            }
        }
        System.out.printf(
                "| %d | %s | %s | %,.0f | %.2f | %,.0f | %.2f | %s |%n",
                inFlight,
                what,
                rival,
                Statistics.of(measured, round -> round.theirs.perSecond()).median(),
                Statistics.of(measured, round -> round.theirs.median()).median(),
                Statistics.of(measured, round -> round.ours.perSecond()).median(),
                Statistics.of(measured, round -> round.ours.median()).median(),
                Statistics.of(measured, round -> round.ours.perSecond() / round.theirs.perSecond())
                        .format("%.2f"));
    }

    /** The rates of a rival and of ours, one after the other. */
    private record Round(Rate theirs, Rate ours) {}
}
