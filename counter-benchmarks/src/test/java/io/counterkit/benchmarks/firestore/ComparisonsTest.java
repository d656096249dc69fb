package io.counterkit.benchmarks.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.benchmarks.firestore.CompareOpenLoop.Scale;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs short forms of the comparisons, and checks the bills that are known exactly. */
class ComparisonsTest {
    private static final int ADDS = 20;

    private final FirestoreEmulator emulator = Prerequisite.required(FirestoreEmulator::shared);
    private final CompareBills bills = new CompareBills(
            emulator, new CompareBills.Scale(5, 1, ADDS, Duration.ofMillis(500), 1), Prices.US_CENTRAL1);

    @Test
    void idleAdds_areBilledAsThePagesState() throws InterruptedException {
        assertThat(bills.recipe().units()).isEqualTo(new Bill.Units(ADDS, 0, ADDS, 0));
        assertThat(bills.counterKit(MonthlyLoad.IDLE, WriteStrategy.INCREMENT).units())
                .isEqualTo(new Bill.Units(ADDS, 0, 2 * ADDS, ADDS));
        assertThat(bills.counterKit(MonthlyLoad.IDLE, WriteStrategy.STAMP).units())
                .isEqualTo(new Bill.Units(ADDS, 0, ADDS, 0));
    }

    @Test
    void hotAdds_shareCommits() throws InterruptedException {
        Cost cost = bills.counterKit(MonthlyLoad.HOT, WriteStrategy.INCREMENT);
        assertThat(cost.adds()).isEqualTo(500);
        // 4 processes with 10 shards start at most 40 commits of 2 writes at once, then 40 a second: 400 writes in 4 s.
        assertThat(cost.units().writes()).isLessThan(500);
        assertThat(cost.units().writes()).isEqualTo(2 * cost.units().commits());
        assertThat(cost.units().deletes()).isEqualTo(cost.units().commits());
    }

    @Test
    @Tag("exhaustive")
    void openLoop_measuresEveryAddOfEachWay(@TempDir Path folder) throws Exception {
        Scale scale = new Scale(1, Duration.ofMillis(200), 1, Duration.ofMillis(50), 200);
        List<OpenLoopPoint> points = new CompareOpenLoop(emulator, scale).run(2, Duration.ofMillis(5));
        assertThat(points).hasSize(9).allSatisfy(point -> {
            int each = CompareOpenLoop.countOfEach(point.rate(), scale.point());
            assertThat(point.times().getTotalCount()).isEqualTo((long) CompareOpenLoop.PROCESSES * each);
        });
        Path chart = folder.resolve("chart.svg");
        OpenLoopChart.write(chart, points);
        assertThat(Files.readString(chart)).contains("published recipe, p99.9", "CounterKit, p50");
    }
}
