package io.counterkit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the share of the processors that an iteration used; 1 is one processor for each thread. With a smaller
 * share, threads run one after another without contention, and are faster.
 */
public final class CpuShare implements InternalProfiler {
    static final String LABEL = "cpuShare";

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long wallStart;
    private long cpuStart;

    @Override
    public String getDescription() {
        return "share of the processors";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        wallStart = System.nanoTime();
        cpuStart = system.getProcessCpuTime();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double cpu = system.getProcessCpuTime() - cpuStart;
        double wall = System.nanoTime() - wallStart;
        return List.of(new ScalarResult(LABEL, cpu / (wall * benchmark.getThreads()), "", AggregationPolicy.AVG));
    }
}
