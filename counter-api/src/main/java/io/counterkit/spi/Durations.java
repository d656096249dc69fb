package io.counterkit.spi;

import java.math.BigDecimal;
import java.time.Duration;

/** Formats durations for messages. */
public final class Durations {
    private Durations() {}

    /** Returns the exact duration in one unit: "1.5 s", "250 ms", "5 min", "24 h". */
    public static String inWords(Duration duration) {
        BigDecimal seconds =
                BigDecimal.valueOf(duration.toSeconds()).add(BigDecimal.valueOf(duration.toNanosPart(), 9));
        if (seconds.abs().compareTo(BigDecimal.ONE) < 0) {
            return plain(seconds.movePointRight(3)) + " ms";
        }
        if (duration.toNanosPart() == 0 && duration.toSeconds() % 3600 == 0) {
            return duration.toHours() + " h";
        }
        if (duration.toNanosPart() == 0 && duration.toSeconds() % 60 == 0) {
            return duration.toMinutes() + " min";
        }
        return plain(seconds) + " s";
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
