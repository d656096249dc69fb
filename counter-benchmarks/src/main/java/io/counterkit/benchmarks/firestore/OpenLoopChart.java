package io.counterkit.benchmarks.firestore;

import io.counterkit.benchmarks.LogChart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws the times of adds by their rate. */
final class OpenLoopChart {
    private OpenLoopChart() {}

    /** Draws the first two contenders, since more lines are hard to read. */
    static void write(Path svg, List<OpenLoopPoint> points) throws IOException {
        Map<String, List<LogChart.Point>> lines = new LinkedHashMap<>();
        List<String> contenders = points.stream()
                .map(OpenLoopPoint::contender)
                .distinct()
                .limit(2)
                .toList();
        for (double percentile : new double[] {99.9, 50}) {
            for (String contender : contenders) {
                lines.put(contender + ", p" + (percentile == 50 ? "50" : "99.9"), line(points, contender, percentile));
            }
        }
        LogChart.write(svg, "adds a second", "ms from the moment when an add was due", lines);
    }

    private static List<LogChart.Point> line(List<OpenLoopPoint> points, String contender, double percentile) {
        List<LogChart.Point> line = new ArrayList<>();
        for (OpenLoopPoint point : points) {
            if (point.contender().equals(contender)) {
                line.add(new LogChart.Point(point.rate(), point.millis(percentile)));
            }
        }
        return line;
    }
}
