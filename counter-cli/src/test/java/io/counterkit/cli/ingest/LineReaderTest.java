package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
    private static final String TOO_LONG = "(too long)";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void linesAreTheSame_inChunksOfAnySize(long seed) throws InterruptedException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            int length = random.nextInt(100) == 0 ? LineReader.LONGEST - 2 + random.nextInt(5) : random.nextInt(60);
            String line = "x".repeat(length);
            lines.add(length > LineReader.LONGEST ? TOO_LONG : line);
            text.append(line).append(length < LineReader.LONGEST && random.nextBoolean() ? "\r\n" : "\n");
        }
        byte[] bytes = text.toString().getBytes(UTF_8);

        assertThat(split(bytes, random, 1 + random.nextInt(200_000)))
                .as("seed " + seed)
                .isEqualTo(lines);
    }

    @Test
    void textAfterTheLastLineFeed_isALine() throws InterruptedException {
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
        LineReader reader =
                new LineReader(new RandomChunks(bytes, random, longestChunk), Position.Mark.START, new CRC32C());
        reader.start();
        LineReader.Batch batch;
        do {
            batch = reader.poll(Long.MAX_VALUE);
            batch.lines().stream()
                    .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
                    .map(line -> line.length() > LineReader.LONGEST ? TOO_LONG : line)
                    .forEach(lines::add);
        } while (!batch.isEnd());
        assertThat(batch.failure()).isNull();
        return lines;
    }

    private static final class RandomChunks extends ByteArrayInputStream {
        private final Random random;
        private final int longest;

        RandomChunks(byte[] bytes, Random random, int longest) {
            super(bytes);
            this.random = random;
            this.longest = longest;
        }

        @Override
        public int read(byte[] into) {
            return read(into, 0, Math.min(into.length, 1 + random.nextInt(longest)));
        }
    }
}
