package io.counterkit.cli.console;

import java.util.Locale;

/** Numbers as people read them, the same in every locale. */
public final class Figures {
    private Figures() {}

    /** 1,234,567. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A number and what it counts: 1 line, 2 lines. */
    public static String count(long number, String one, String many) {
        return grouped(number) + " " + (number == 1 ? one : many);
    }

    /** 3.2 s, or 320 ms. */
    public static String time(long nanos) {
        return nanos < 1e9
                ? String.format(Locale.ROOT, "%.0f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /** How many a second, rounded down. */
    public static long perSecond(long number, long nanos) {
        return (long) (number / (Math.max(1, nanos) / 1e9));
    }

    /** {@code [====>     ]}. */
    public static String bar(double fraction, int width) {
        int filled = (int) Math.round(Math.max(0, Math.min(1, fraction)) * width);
        String head = filled > 0 && filled < width ? "=".repeat(filled - 1) + ">" : "=".repeat(filled);
        return "[" + head + " ".repeat(width - filled) + "]";
    }
}
