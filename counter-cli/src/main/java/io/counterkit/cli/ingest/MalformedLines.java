package io.counterkit.cli.ingest;

import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Progress;
import org.jspecify.annotations.Nullable;

/** Reports the lines that are no events, the first of them one by one. */
final class MalformedLines {
    private static final int REPORTED = 20;

    private final Progress progress;
    private long count;

    MalformedLines(Progress progress) {
        this.progress = progress;
    }

    void report(long line, @Nullable String why) {
        count++;
        if (count <= REPORTED) {
            progress.say("line " + line + ": " + why);
        }
    }

    /** Says how many were not reported one by one. */
    void end() {
        if (count > REPORTED) {
            progress.say(Figures.count(count - REPORTED, "more line is", "more lines are") + " malformed");
        }
    }

    long count() {
        return count;
    }
}
