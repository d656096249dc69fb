package io.counterkit.benchmarks.firestore;

import io.counterkit.benchmarks.firestore.CompareModel.Point;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnitSource;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;

/** Draws adds a second by shard count, both on a logarithmic scale. */
final class ShardChart {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final Color[] COLORS = {new Color(0x1a7f5a), new Color(0xb5541c)};

    private ShardChart() {}

    static void write(Path svg, List<Point> points) throws IOException {
        XYSeriesCollection lines = new XYSeriesCollection();
        lines.addSeries(series("CounterKit, 1,000 adds in flight", points, Point::ours));
        lines.addSeries(series("published recipe, each shard kept busy", points, Point::recipe));
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        for (int i = 0; i < COLORS.length; i++) {
            renderer.setSeriesPaint(i, COLORS[i]);
            renderer.setSeriesStroke(i, new BasicStroke(2));
        }
        XYPlot plot = new XYPlot(lines, axis("shards"), axis("adds a second"), renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        JFreeChart chart = new JFreeChart(null, TEXT, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.getLegend().setItemFont(TEXT);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, HEIGHT);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        Files.writeString(svg, graphics.getSVGElement());
    }

    private static XYSeries series(String name, List<Point> points, ToDoubleFunction<Point> rate) {
        XYSeries series = new XYSeries(name);
        points.forEach(point -> series.add(point.shards(), rate.applyAsDouble(point)));
        return series;
    }

    private static LogAxis axis(String label) {
        LogAxis axis = new LogAxis(label);
        axis.setStandardTickUnits(new NumberTickUnitSource(true));
        axis.setNumberFormatOverride(new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        axis.setLabelFont(TEXT);
        axis.setTickLabelFont(TEXT);
        return axis;
    }
}
