package io.counterkit.tck.internal.history;

import io.counterkit.Entry;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.spi.Durations;
import java.util.List;
import java.util.stream.Collectors;

/** Formats answers for messages. */
final class Shown {
    private Shown() {}

    static String text(Object answer) {
        if (answer instanceof Entry entry) {
            return text(entry);
        }
        if (answer instanceof List<?> entries) {
            return entries.stream().map(Shown::text).collect(Collectors.joining(", ", "[", "]"));
        }
        if (answer instanceof Reading reading) {
            return reading.value() + ", " + Durations.inWords(reading.staleness()) + " old";
        }
        return answer instanceof Seal seal ? text(seal) : answer.toString();
    }

    static String text(Seal seal) {
        return "sealed at " + seal.last() + ", live " + seal.liveCount() + ", to '" + seal.forward() + "'";
    }

    private static String text(Entry entry) {
        String subject = entry.subject() == null ? "" : " " + entry.subject();
        Object value = entry.erased() ? "erased" : entry.fields().get(SequenceState.FIELD);
        return "#" + entry.number() + " " + entry.change().noun() + subject + " " + value + " (live "
                + entry.liveCount() + ")";
    }
}
