package io.counterkit.spi;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Durations as messages show them: "24 hours", "1 minute", "90 seconds". */
final class DurationWords {
    private static final List<Unit> UNITS = List.of(
            new Unit("day", ChronoUnit.DAYS.getDuration(), 2),
            new Unit("hour", ChronoUnit.HOURS.getDuration(), 1),
            new Unit("minute", ChronoUnit.MINUTES.getDuration(), 1),
            new Unit("second", ChronoUnit.SECONDS.getDuration(), 1),
            new Unit("millisecond", ChronoUnit.MILLIS.getDuration(), 1));

    private DurationWords() {}

    /** @param least how many of it there are at least where it is used */
    private record Unit(String name, Duration duration, long least) {}

    /** Returns the duration in the largest unit of which it is a whole number. */
    static String of(Duration duration) {
        Duration size = duration.abs();
        for (Unit unit : UNITS) {
            long count = size.dividedBy(unit.duration());
            if (count >= unit.least() && unit.duration().multipliedBy(count).equals(size)) {
                return count(duration.isNegative() ? -count : count, unit.name());
            }
        }
        return duration.isZero() ? count(0, "second") : count(duration.toNanos(), "nanosecond");
    }

    private static String count(long count, String unit) {
        return count + " " + unit + (Math.abs(count) == 1 ? "" : "s");
    }
}
