package io.counterkit.cli.console;

import java.util.Locale;

/** Formats numbers for people, the same in every locale. */
public final class Figures {
    private Figures() {}

    /** Returns a number like 1,234,567. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a number with its noun: 1 line, 2 lines. */
    public static String count(long number, String one, String many) {
        return grouped(number) + " " + (number == 1 ? one : many);
    }

    /** Returns a time like 320 ms, 3.2 s, 4 min 5 s or 6 h 7 min. */
    public static String time(long nanos) {
        long seconds = nanos / 1_000_000_000;
        if (seconds < 120) {
            return seconds == 0
                    ? String.format(Locale.ROOT, "%.0f ms", nanos / 1e6)
                    : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
        }
        return seconds < 7200
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }

    /**
     * Returns the time left after {@code nanos} for a part of the work, like "about 12 s left"; empty if it is unknown.
     */
    public static String left(double fraction, long nanos) {
        if (fraction <= 0 || fraction >= 1) {
            return "";
        }
        double seconds = nanos / 1e9 * (1 - fraction) / fraction;
        String about = seconds < 100
                ? String.format(Locale.ROOT, "%.0f s", Math.max(1, seconds))
                : seconds < 100 * 60
                        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                        : seconds < 48 * 3600
                                ? String.format(Locale.ROOT, "%.0f h", seconds / 3600)
                                : String.format(Locale.ROOT, "%.0f days", Math.min(999, seconds / 86400));
        return "about " + about + " left";
    }

    /** Returns a percentage, rounded down; 100 only when all is done. */
    public static String percent(double fraction) {
        return String.format(
                Locale.ROOT, "%3d %%", fraction >= 1 ? 100 : (int) Math.max(0, Math.min(99, 100 * fraction)));
    }

    /** Returns a rate per second, rounded down. */
    public static long perSecond(long number, long nanos) {
        return (long) (number / (Math.max(1, nanos) / 1e9));
    }

    /** Returns a bar like {@code [====>     ]}. */
    public static String bar(double fraction, int width) {
        int filled = (int) Math.round(Math.max(0, Math.min(1, fraction)) * width);
        String head = filled > 0 && filled < width ? "=".repeat(filled - 1) + ">" : "=".repeat(filled);
        return "[" + head + " ".repeat(width - filled) + "]";
    }
}
