package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestCommandTest {
    private final InMemoryStore store = InMemoryStore.create();

    @Test
    void lineWithAName_addsOne() {
        CommandRun run = ingest("likes\nviews\nlikes\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(store.dump().counters()).isEqualTo(Map.of("likes", 2L, "views", 1L));
        assertThat(run.out())
                .contains("3 adds to 2 names, 1.5 adds a commit")
                .containsSubsequence("2  likes", "1  views")
                .contains("exact: 2 of 2 totals");
    }

    @Test
    void deltas_areAdded() {
        ingest("likes\t5\nlikes\t-2\nviews\t0\nmost\t9007199254740992\nplus\t+7\n");

        assertThat(store.dump().counters())
                .isEqualTo(Map.of("likes", 3L, "views", 0L, "most", 9007199254740992L, "plus", 7L));
    }

    @Test
    void lineEnds_blankLinesAndUtf8_areReadAsTheyAre() {
        CommandRun run = ingest("café 😀\r\n\n\r\n café\r\nlast without an end");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("5 lines").contains("3 adds").contains("2 blank");
        assertThat(store.dump().counters()).containsOnlyKeys("café 😀", " café", "last without an end");
    }

    @Test
    void malformedLines_areReportedWithTheirNumberAndDoNotStopTheRest() {
        CommandRun run = ingest("a\nb\tfive\n\tno name\n" + "x".repeat(401) + "\nc\t9007199254740993\nd\t\na\n");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly(
                        "counter: line 2: delta 'five' is not a whole number within ±2^53",
                        "counter: line 3: delta 'no name' is not a whole number within ±2^53",
                        "counter: line 4: counter name '" + "x".repeat(60)
                                + "…' has 401 UTF-8 bytes: at most 400 are allowed",
                        "counter: line 5: delta 9007199254740993 is outside ±2^53 (9007199254740992): add it in several"
                                + " steps",
                        "counter: line 6: delta '' is not a whole number within ±2^53");
        assertThat(run.out()).contains("5 malformed");
        assertThat(store.dump().counters()).isEqualTo(Map.of("a", 2L));
    }

    @Test
    void invalidNames_areMalformedLines() {
        CommandRun run = ingest(Backends.of(backend()), bytes(new byte[] {'a', (byte) 0xff, '\n', 7, '\n', '\t', '1'}));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly(
                        "counter: line 1: name 'a\ufffd' is not UTF-8",
                        "counter: line 2: counter name 'U+0007' has the control character U+0007 at index 0: remove it",
                        "counter: line 3: counter name is empty: use 1 to 400 UTF-8 bytes");
        assertThat(store.dump().counters()).isEmpty();
    }

    @Test
    void manyMalformedLines_areReportedInPart() {
        CommandRun run = ingest("a\tx\n".repeat(1000) + "a\n");

        assertThat(run.errLines()).hasSize(21).last().isEqualTo("counter: 980 more lines are malformed");
        assertThat(store.dump().counters()).isEqualTo(Map.of("a", 1L));
    }

    @Test
    void accessLog_countsPathsWithoutQuery() {
        CommandRun run = ingest("""
                192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET /cart?id=7 HTTP/1.1" 200 2326
                192.0.2.2 - bob [10/Oct/2025:13:55:37 +0000] "POST /cart HTTP/2.0" 302 - "-" "curl/8.9.1"
                192.0.2.3 - - [10/Oct/2025:13:55:38 +0000] "-" 408 0
                192.0.2.4 - - [10/Oct/2025:13:55:39 +0000] "GET / HTTP/1.1" 200 12 "-" "says \\"hi\\""
                """, "--access-log");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().contains("line 3: no \"request\" with a path");
        assertThat(store.dump().counters()).isEqualTo(Map.of("/cart", 2L, "/", 1L));
    }

    @Test
    void accessLogWithoutTheOption_countsWholeLinesAndNamesTheOption() {
        String line = "192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /cart?id=7 HTTP/1.1\" 200 2326";

        CommandRun run = ingest((line + "\n").repeat(2));

        assertThat(run.exitCode()).isZero();
        assertThat(run.errLines())
                .containsExactly("counter: line 1 looks like the log of a web server, and counts as one name:"
                        + " --access-log counts the paths of requests instead");
        assertThat(store.dump().counters()).isEqualTo(Map.of(line, 2L));
    }

    @Test
    void sampleLog_hasNoMalformedLine() {
        CommandRun run = ingestFile("--access-log", Path.of("..", "samples", "access.log"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("2,500 adds");
    }

    @Test
    void file_isReadToItsEnd(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("events ä.txt");
        int[] numbers = IntStream.range(0, 200_000).map(i -> i * i % 1009).toArray();
        Files.writeString(file, IntStream.of(numbers).mapToObj(n -> "n" + n).collect(Collectors.joining("\n")));

        CommandRun run = ingestFile("--top=3", file);

        assertThat(run.out()).contains("200,000 adds");
        assertThat(store.dump().counters())
                .isEqualTo(IntStream.of(numbers)
                        .boxed()
                        .collect(Collectors.groupingBy(n -> "n" + n, Collectors.counting())));
    }

    @Test
    void top_limitsTheTable() {
        CommandRun run = ingest("a\nb\nb\nc\nc\nc\n", "--top", "2");

        assertThat(run.out()).contains("3  c").contains("2  b").doesNotContain("1  a");
    }

    @Test
    void storeThatIsNotEmpty_showsTotalsAndWhatWasAdded() {
        Counters.over(InMemoryBackend.over(store)).counter("likes").add(100);

        CommandRun run = ingest("likes\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern("101 +1 +likes").doesNotContain("exact");
    }

    @Test
    void inputThatBreaksOff_isReportedAndWhatCameBeforeCounted() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the disk is gone");
            }

            @Override
            public int read(byte[] buffer, int from, int length) throws IOException {
                return read();
            }
        };

        CommandRun run =
                ingest(Backends.of(backend()), new SequenceInputStream(bytes("a\nb\n".getBytes(UTF_8)), broken));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly("counter: standard input: line 3 and the rest could not be read: the disk is gone");
        assertThat(store.dump().counters()).isEqualTo(Map.of("a", 1L, "b", 1L));
    }

    private TestBackend backend() {
        return new TestBackend(InMemoryBackend.over(store));
    }

    private CommandRun ingest(String input, String... options) {
        return ingest(Backends.of(backend()), bytes(input.getBytes(UTF_8)), options);
    }

    private CommandRun ingestFile(String option, Path file) {
        return ingest(Backends.of(backend()), InputStream.nullInputStream(), option, file.toString());
    }

    private static CommandRun ingest(Backends backends, InputStream input, String... options) {
        return CommandRun.on(backends, input, new Interrupt(), command("ingest", options));
    }

    private static InputStream bytes(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static String[] command(String name, String... options) {
        return Stream.concat(Stream.of(name), Stream.of(options)).toArray(String[]::new);
    }
}
