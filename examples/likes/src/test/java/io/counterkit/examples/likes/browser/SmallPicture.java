package io.counterkit.examples.likes.browser;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Makes a picture of a page a third as large: with 256 colors at most. */
final class SmallPicture {
    private static final int MOST_COLORS = 256;

    private SmallPicture() {}

    static byte[] of(byte[] png) throws IOException {
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
        int[] pixels = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        int dropped = 0;
        Map<Integer, Integer> colors = count(pixels, dropped);
        while (colors.size() > MOST_COLORS) {
            colors = count(pixels, ++dropped);
        }
        List<Integer> palette = new ArrayList<>(colors.values());
        Map<Integer, Integer> indexes = new HashMap<>();
        colors.forEach((rounded, color) -> indexes.put(rounded, palette.indexOf(color)));
        int[] rgb = palette.stream().mapToInt(Integer::intValue).toArray();
        BufferedImage small = new BufferedImage(
                picture.getWidth(),
                picture.getHeight(),
                BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(8, rgb.length, rgb, 0, false, -1, 0));
        int bits = dropped;
        int[] indexed = Arrays.stream(pixels)
                .map(pixel -> indexes.get(round(pixel, bits)))
                .toArray();
        small.getRaster().setPixels(0, 0, picture.getWidth(), picture.getHeight(), indexed);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(small, "png", out);
        return out.toByteArray();
    }

    /** Returns the colors by their rounded form; each stands for its most frequent pixel. */
    private static Map<Integer, Integer> count(int[] pixels, int bits) {
        Map<Integer, Map<Integer, Integer>> areas = new HashMap<>();
        for (int pixel : pixels) {
            areas.computeIfAbsent(round(pixel, bits), first -> new HashMap<>()).merge(pixel, 1, Integer::sum);
        }
        Map<Integer, Integer> colors = new HashMap<>();
        areas.forEach((rounded, area) -> colors.put(
                rounded,
                area.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey()));
        return colors;
    }

    private static int round(int pixel, int bits) {
        int mask = 0xFF & (0xFF << bits);
        return pixel & (mask << 16 | mask << 8 | mask);
    }
}
