package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterkit.Counters;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import io.counterkit.inmemory.InMemoryBackend;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures how many lines a second go into memory: with {@link Ingest} and its {@link LineReader}, and with a {@link
 * BufferedReader} that decodes UTF-8 strictly, in turns. Prints lines a second of each round. Run it with
 *
 * <pre>{@code
 * ./mvnw -q -pl counter-cli -am package -DskipTests
 * java -cp counter-cli/target/counter.jar:counter-cli/target/test-classes io.counterkit.cli.ingest.IngestSpeed
 * }</pre>
 */
final class IngestSpeed {
    private static final int ROUNDS = 7;

    private final byte[] input;
    private final int lines;
    private final LineFormat format;

    IngestSpeed(int lines, String line, LineFormat format) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(String.format(line, i % 1009)).append('\n');
        }
        this.input = text.toString().getBytes(UTF_8);
        this.lines = lines;
        this.format = format;
    }

    public static void main(String[] args) throws Exception {
        int lines = args.length == 0 ? 2_000_000 : Integer.parseInt(args[0]);
        String log =
                "192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] \"GET /posts/%d?id=7 HTTP/1.1\" 200 2326 \"-\" \"curl/8\"";
        new IngestSpeed(lines, "posts/%d/likes", LineFormat::plain).compare("names");
        new IngestSpeed(lines, log, LineFormat::accessLog).compare("access log");
    }

    private void compare(String what) throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            System.out.printf(
                    "%-10s  round %d  LineReader %,11d/s  BufferedReader %,11d/s%n",
                    what, round, perSecond(this::withLineReader), perSecond(this::withBufferedReader));
        }
    }

    private interface Run {
        long lines() throws Exception;
    }

    private long perSecond(Run run) throws Exception {
        long start = System.nanoTime();
        long counted = run.lines();
        if (counted != lines) {
            throw new AssertionError(counted + " lines of " + lines);
        }
        return (long) (lines / ((System.nanoTime() - start) / 1e9));
    }

    private long withLineReader() throws InterruptedException {
        try (Counters counters = Counters.over(InMemoryBackend.create())) {
            Source source = new Source("memory", new ByteArrayInputStream(input), input.length, null);
            Console console = new Console(InputStream.nullInputStream(), System.out, System.err, 0);
            Progress progress = new Progress(console, System::nanoTime);
            Ingest ingest =
                    new Ingest(source, format, counters, 10_000, new Interrupt(), progress, Resumable.atStart(null));
            ingest.run();
            return ingest.adds();
        }
    }

    private long withBufferedReader() throws IOException, InterruptedException {
        try (Counters counters = Counters.over(InMemoryBackend.create());
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(new ByteArrayInputStream(input), UTF_8.newDecoder()), 256 * 1024)) {
            Parts parts = new Parts(null, Position.atStart("run"), 10_000, () -> {});
            Position.Mark end = Position.Mark.START;
            Map<String, Tally> tallies = new HashMap<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                LineFormat.Event event = format.read(line);
                Tally tally = tallies.computeIfAbsent(
                        event.name(), name -> new Tally(counters.counter(name).async()));
                parts.add(tally, event.delta());
                end = new Position.Mark(end.lines() + 1, end.bytes() + line.length() + 1, 0);
                if (parts.isDue(end)) {
                    parts.trySend(end);
                }
            }
            parts.trySend(end);
            return tallies.values().stream().mapToLong(tally -> tally.adds).sum();
        }
    }
}
