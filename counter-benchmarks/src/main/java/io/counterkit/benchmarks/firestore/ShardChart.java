package io.counterkit.benchmarks.firestore;

import io.counterkit.benchmarks.LogChart;
import io.counterkit.benchmarks.firestore.CompareModel.Point;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Draws adds a second by shard count. */
final class ShardChart {
    private ShardChart() {}

    static void write(Path svg, List<Point> points) throws IOException {
        Map<String, List<LogChart.Point>> lines = new LinkedHashMap<>();
        lines.put("CounterKit, 1,000 adds in flight", line(points, Point::ours));
        lines.put("published recipe, each shard kept busy", line(points, Point::recipe));
        LogChart.write(svg, "shards", "adds a second", lines);
    }

    private static List<LogChart.Point> line(List<Point> points, ToDoubleFunction<Point> rate) {
        return points.stream()
                .map(point -> new LogChart.Point(point.shards(), rate.applyAsDouble(point)))
                .toList();
    }
}
