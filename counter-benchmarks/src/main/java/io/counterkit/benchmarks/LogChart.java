package io.counterkit.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnitSource;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;

/** Draws lines in a chart whose axes are both logarithmic. */
public final class LogChart {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final RectangleInsets ROOM_FOR_LAST_LABELS = new RectangleInsets(12, 8, 4, 40);
    private static final List<Color> COLORS =
            List.of(new Color(0x1a7f5a), new Color(0xb5541c), new Color(0x3b5b92), new Color(0x7a4b8f));

    private LogChart() {}

    /** A point of a line; both coordinates are greater than 0. */
    public record Point(double x, double y) {}

    /**
     * Writes a chart as SVG.
     *
     * @param lines the points of each line by its name, in the order of the legend; four lines at most
     */
    public static void write(Path svg, String xLabel, String yLabel, Map<String, List<Point>> lines)
            throws IOException {
        XYSeriesCollection series = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        lines.forEach((name, points) -> {
            XYSeries line = new XYSeries(name);
            points.forEach(point -> line.add(point.x(), point.y()));
            renderer.setSeriesPaint(series.getSeriesCount(), COLORS.get(series.getSeriesCount()));
            renderer.setSeriesStroke(series.getSeriesCount(), new BasicStroke(2));
            series.addSeries(line);
        });
        XYPlot plot = new XYPlot(series, axis(xLabel, lines, Point::x), axis(yLabel, lines, Point::y), renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setInsets(ROOM_FOR_LAST_LABELS);
        plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        JFreeChart chart = new JFreeChart(null, TEXT, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.getLegend().setItemFont(TEXT);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, HEIGHT);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        Files.writeString(svg, graphics.getSVGElement());
    }

    /** Returns an axis from a power of ten to another, since only those have a label. */
    private static LogAxis axis(String label, Map<String, List<Point>> lines, ToDoubleFunction<Point> coordinate) {
        DoubleSummaryStatistics values = lines.values().stream()
                .flatMap(List::stream)
                .mapToDouble(coordinate)
                .summaryStatistics();
        LogAxis axis = new LogAxis(label);
        axis.setRange(
                Math.pow(10, Math.floor(Math.log10(values.getMin()))),
                Math.pow(10, Math.floor(Math.log10(values.getMax())) + 1));
        axis.setStandardTickUnits(new NumberTickUnitSource(true));
        axis.setNumberFormatOverride(new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        axis.setLabelFont(TEXT);
        axis.setTickLabelFont(TEXT);
        return axis;
    }
}
