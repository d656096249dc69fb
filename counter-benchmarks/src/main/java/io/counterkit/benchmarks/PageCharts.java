package io.counterkit.benchmarks;

import io.counterkit.benchmarks.LogChart.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws the table by number of threads in docs/performance.md, so that the chart has the same numbers. */
public final class PageCharts {
    private PageCharts() {}

    /** Writes the charts beside the page, which is the first argument. */
    public static void main(String... args) throws IOException {
        Path page = Path.of(args[0]);
        List<String> rows = Files.readAllLines(page).stream()
                .dropWhile(line -> !line.startsWith("| threads |"))
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        LogChart.write(page.resolveSibling("sequences.svg"), "threads", "appends a second", lines(rows));
    }

    /** Returns a line for each column between the first, which has the threads, and the last, which has the ratio. */
    static Map<String, List<Point>> lines(List<String> rows) {
        String[] names = cells(rows.get(0));
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        // From the last to the first, since ours is the last.
        for (int column = names.length - 2; column > 0; column--) {
            List<Point> points = new ArrayList<>();
            for (String row : rows.subList(2, rows.size())) {
                String[] cells = cells(row);
                points.add(new Point(number(cells[0]), number(cells[column])));
            }
            lines.put(names[column], points);
        }
        return lines;
    }

    private static String[] cells(String row) {
        return Arrays.stream(row.substring(1, row.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toArray(String[]::new);
    }

    /** Reads a number that its range in brackets may follow. */
    private static double number(String cell) {
        return Double.parseDouble(cell.split(" ", 2)[0].replace(",", ""));
    }
}
