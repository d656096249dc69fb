package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long now;

    @Test
    void show_drawsTenTimesASecondAtMost() {
        Progress progress = progress(80);

        for (int i = 0; i < 1_000; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(1);
            progress.show(() -> "x");
        }

        assertThat(shown().chars().filter(c -> c == 'x').count()).isEqualTo(10);
    }

    @Test
    void show_staysWithinTheTerminal() {
        Progress progress = progress(10);

        now += TimeUnit.SECONDS.toNanos(1);
        progress.show(() -> "0123456789abc");

        assertThat(shown()).isEqualTo("\r\u001b[K012345678");
    }

    @Test
    void say_erasesTheProgressFirst() {
        Progress progress = progress(80);

        now += TimeUnit.SECONDS.toNanos(1);
        progress.show(() -> "half");
        progress.say("look");
        progress.clear();

        assertThat(shown()).isEqualTo("\r\u001b[Khalf\r\u001b[Kcounter: look" + System.lineSeparator());
    }

    @Test
    void noTerminal_nothingIsShown() {
        Progress progress = progress(0);

        now += TimeUnit.SECONDS.toNanos(1);
        progress.show(() -> {
            throw new AssertionError("formatted although it is not shown");
        });
        progress.clear();

        assertThat(shown()).isEmpty();
    }

    private Progress progress(int columns) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new Progress(new Console(InputStream.nullInputStream(), stream, stream, columns), () -> now);
    }

    private String shown() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
