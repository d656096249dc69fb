package io.counterkit.cli.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the data when commands meet, or do not end. */
class DataDirectoryTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private DataDirectory open() {
        return DataDirectory.open(directory.resolve("made"), new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void twoAtOnceAreRefused() {
        DataDirectory first = open();
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(this::open)
                .withMessageContaining("another command is using")
                .withMessageContaining("process " + ProcessHandle.current().pid())
                .withMessageContaining("--data");
        first.end(true);
        open().end(true);
        assertThat(said()).isEmpty();
    }

    @Test
    void secondIsRefusedAlsoAsTheFirstBeginsOrEnds() throws IOException {
        DataDirectory first = open();
        Files.delete(directory.resolve("made").resolve("running"));
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(this::open)
                .withMessageContaining("another command is using")
                .withMessageContaining("--data");
        first.letGo();
    }

    @Test
    void commandThatDidNotEndIsReportedOnce() {
        open().end(false);
        open().end(true);
        assertThat(said()).containsOnlyOnce("killed or interrupted").contains("may be missing");
        open().end(true);
        assertThat(said()).containsOnlyOnce("killed or interrupted");
    }

    @Test
    void commandThatWasKilledChangesNothing() throws IOException {
        change(5);
        Path data = directory.resolve("made").resolve("datastore.bin");
        byte[] before = Files.readAllBytes(data);
        DataDirectory killed = open();
        Files.writeString(killed.copy(), "half written");
        assertThat(Files.readAllBytes(data)).isEqualTo(before);
        killed.letGo();
        assertThat(change(1)).isEqualTo(6);
        assertThat(said()).contains("killed or interrupted");
    }

    private long change(long delta) {
        EmbeddedDatastore datastore = EmbeddedDatastore.open(open());
        try (Counters counters = Counters.over(datastore.backend())) {
            counters.counter("c").add(delta);
            return counters.counter("c").get();
        } finally {
            datastore.close();
        }
    }

    @Test
    void fileThatIsNoneIsNotWrittenOver() throws IOException {
        Files.createDirectories(directory.resolve("made"));
        Path data = directory.resolve("made").resolve("datastore.bin");
        Files.writeString(data, "something else");
        assertThatIllegalArgumentException().isThrownBy(this::open).withMessageContaining(directory.toString());
        assertThat(data).hasContent("something else");
    }
}
