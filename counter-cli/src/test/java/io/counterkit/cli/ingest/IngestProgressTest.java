package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How far an ingest is: not where it reads, but what is settled. */
class IngestProgressTest {
    @Test
    void lineIsDone_onceItsAddIsSettled() {
        assertThat(Ingest.fractionDone(0, 100, 0, 0)).isZero();
        assertThat(Ingest.fractionDone(100, 100, 10, 10)).isZero();
        assertThat(Ingest.fractionDone(100, 100, 10, 5)).isEqualTo(0.5);
        assertThat(Ingest.fractionDone(50, 100, 10, 5)).isEqualTo(0.25);
        assertThat(Ingest.fractionDone(100, 100, 10, 0)).isEqualTo(1);
        assertThat(Ingest.fractionDone(150, 100, 10, 0)).isEqualTo(1);
    }

    @Test
    void bytesOfTheLinesThatWereTaken_areCountedOneByOne() throws InterruptedException {
        long[] seen = new long[3];
        LineSplitter[] splitter = new LineSplitter[1];
        int[] line = {0};
        splitter[0] = new LineSplitter(new LineSplitter.Sink() {
            @Override
            public void line(byte[] bytes, int from, int to) {
                seen[line[0]++] = splitter[0].taken();
            }

            @Override
            public void tooLong() {}
        });
        splitter[0].feed("ab\ncd".getBytes(UTF_8), 5);
        splitter[0].feed("e\nf".getBytes(UTF_8), 3);
        splitter[0].end();

        assertThat(seen).containsExactly(3, 7, 8);
    }
}
