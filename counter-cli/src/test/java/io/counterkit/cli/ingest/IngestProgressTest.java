package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The progress of an ingest counts the lines whose adds have their outcome. */
class IngestProgressTest {
    @Test
    void lineIsDone_onceItsAddHasItsOutcome() {
        assertThat(Ingest.fractionDone(0, 100, 0, 0)).isZero();
        assertThat(Ingest.fractionDone(100, 100, 10, 10)).isZero();
        assertThat(Ingest.fractionDone(100, 100, 10, 5)).isEqualTo(0.5);
        assertThat(Ingest.fractionDone(50, 100, 10, 5)).isEqualTo(0.25);
        assertThat(Ingest.fractionDone(100, 100, 10, 0)).isEqualTo(1);
        assertThat(Ingest.fractionDone(150, 100, 10, 0)).isEqualTo(1);
    }

    @Test
    void timeLeft_countsOnlyTheWorkOfThisRun() {
        assertThat(Ingest.fractionOfRun(0.9, 0.9)).isZero();
        assertThat(Ingest.fractionOfRun(0.75, 0.5)).isEqualTo(0.5);
        assertThat(Ingest.fractionOfRun(0.5, 0)).isEqualTo(0.5);
        assertThat(Ingest.fractionOfRun(1, 1)).isEqualTo(1);
    }

    /** The progress adds them up, and one for each LF. */
    @Test
    void lines_haveAsManyCharactersAsBytes() {
        LineReader reader = new LineReader(InputStream.nullInputStream());
        List<String> lines = new ArrayList<>(reader.split("ab\ncd".getBytes(UTF_8), 5));
        lines.addAll(reader.split("e\né\n".getBytes(UTF_8), 5));

        assertThat(lines).extracting(String::length).containsExactly(2, 3, 2);
    }
}
