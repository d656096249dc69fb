package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TerminationTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicLong now = new AtomicLong();
    private final List<Integer> ends = new ArrayList<>();
    private final Interrupt interrupt = new Interrupt();
    private final Termination termination = new Termination(
            new Console(
                    InputStream.nullInputStream(),
                    new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    0),
            interrupt,
            now::get,
            ends::add);

    @Test
    void firstSignal_printsWhatIsBeingFinished() {
        interrupt.finishing(() -> "7 adds");
        termination.terminate();

        assertThat(interrupt.isRequested()).isTrue();
        assertThat(printed()).isEqualTo("counter: interrupted: finishing 7 adds; press Ctrl-C again to end at once\n");
        assertThat(ends).isEmpty();
    }

    @Test
    void secondSignal_endsTheProcess() {
        interrupt.finishing(() -> "7 adds");
        termination.terminate();
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        termination.terminate();

        assertThat(printed()).endsWith("counter: ended at once, without finishing 7 adds\n");
        assertThat(ends).containsExactly(130);
    }

    /** The thread of the command may still draw the progress when the signal arrives. */
    @Test
    void progress_isNotShownAfterTheLastMessage() throws Exception {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = new Console(InputStream.nullInputStream(), stream, stream, 80);
        Thread command = new Thread(() ->
                new Progress(console, () -> now.getAndAdd(TimeUnit.SECONDS.toNanos(1))).show(() -> "still finishing"));
        Termination ending = new Termination(console, interrupt, now::get, code -> {
            command.start();
            await().until(() ->
                    !List.of(Thread.State.NEW, Thread.State.RUNNABLE).contains(command.getState()));
            ends.add(printed().indexOf("still finishing"));
        });
        ending.terminate();
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        ending.terminate();
        command.join();

        assertThat(ends).containsExactly(-1);
        assertThat(printed()).contains("ended at once", "still finishing");
    }

    @Test
    void sameSignalTwice_countsOnce() {
        termination.terminate();
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
        termination.terminate();

        assertThat(ends).isEmpty();
    }

    @Test
    void nothingToFinish_printsNothing() {
        termination.terminate();

        assertThat(printed()).isEmpty();
    }

    private String printed() {
        return err.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
