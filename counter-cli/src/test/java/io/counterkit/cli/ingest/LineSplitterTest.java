package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSplitterTest {
    private static final String TOO_LONG = "(too long)";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anyChunks_giveTheSameLines(long seed) throws InterruptedException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            int length = random.nextInt(100) == 0 ? LineSplitter.LONGEST - 2 + random.nextInt(5) : random.nextInt(60);
            String line = "x".repeat(length);
            lines.add(length > LineSplitter.LONGEST ? TOO_LONG : line);
            text.append(line).append(length < LineSplitter.LONGEST && random.nextBoolean() ? "\r\n" : "\n");
        }
        byte[] bytes = text.toString().getBytes(UTF_8);

        assertThat(split(bytes, random, 1 + random.nextInt(200_000)))
                .as("seed " + seed)
                .isEqualTo(lines);
    }

    @Test
    void end_isALineOnlyIfSomethingStandsThere() throws InterruptedException {
        assertThat(split("a\nb".getBytes(UTF_8), new Random(1), 2)).containsExactly("a", "b");
        assertThat(split("a\n".getBytes(UTF_8), new Random(1), 2)).containsExactly("a");
        assertThat(split("a\n\n".getBytes(UTF_8), new Random(1), 2)).containsExactly("a", "");
        assertThat(split(new byte[0], new Random(1), 2)).isEmpty();
        assertThat(split("y".repeat(100_000).getBytes(UTF_8), new Random(1), 1_000))
                .containsExactly(TOO_LONG);
    }

    @Test
    void carriageReturnWithinALine_staysThere() throws InterruptedException {
        assertThat(split("a\rb\r\r\n".getBytes(UTF_8), new Random(1), 3)).containsExactly("a\rb\r");
    }

    private static List<String> split(byte[] bytes, Random random, int longestChunk) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        LineSplitter splitter = new LineSplitter(new LineSplitter.Sink() {
            @Override
            public void line(byte[] buffer, int from, int to) {
                lines.add(new String(buffer, from, to - from, UTF_8));
            }

            @Override
            public void tooLong() {
                lines.add(TOO_LONG);
            }
        });
        int from = 0;
        while (from < bytes.length) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(longestChunk));
            byte[] chunk = Arrays.copyOfRange(bytes, from, to);
            splitter.feed(chunk, chunk.length);
            Arrays.fill(chunk, (byte) '!');
            from = to;
        }
        splitter.end();
        return lines;
    }
}
