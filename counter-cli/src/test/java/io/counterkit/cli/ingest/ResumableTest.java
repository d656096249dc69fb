package io.counterkit.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.cli.console.UserDirectories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which store a run is continued in, and until when. */
class ResumableTest {
    private static final Duration RETENTION = Duration.ofHours(24);

    @Test
    void optionsThatDoNotTellTheStore_areIgnored() {
        String url = "jdbc:postgresql://localhost/app";
        assertThat(Resumable.store("postgresql", Map.of("--url", url, "--create-tables", "")))
                .isEqualTo(Resumable.store("postgresql", Map.of("--url", url)))
                .isNotEqualTo(Resumable.store("postgresql", Map.of("--url", url, "--schema", "counters")));
        assertThat(Resumable.store("firestore", Map.of("--shards", "50", "--project", "p")))
                .isEqualTo(Resumable.store("firestore", Map.of("--project", "p")));
    }

    @Test
    void defaultFile_isThatFileByName() {
        Path file = UserDirectories.ofProcess().counters();
        assertThat(Resumable.store("sqlite", Map.of()))
                .isEqualTo(Resumable.store("sqlite", Map.of("--file", file.toString())))
                .isNotEqualTo(Resumable.store("sqlite", Map.of("--file", file + "2")));
    }

    @Test
    void positionThatIsTooOldOrOfALaterTime_isNotContinued(@TempDir Path directory) throws Exception {
        Position.Mark sent = new Position.Mark(2, 20, 1);
        long now = System.currentTimeMillis();
        try (PositionFile file = PositionFile.open(directory.resolve("position"))) {
            for (Duration age : List.of(Duration.ZERO, Duration.ofHours(21), Duration.ofMinutes(-1))) {
                inDoubt(file, sent, now - age.toMillis()).checkTokens(RETENTION);
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> inDoubt(file, sent, now - Duration.ofHours(23).toMillis())
                                    .checkTokens(RETENTION))
                    .withMessageContaining("the store remembers adds for 24 h only");
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> inDoubt(file, sent, now + Duration.ofHours(1).toMillis())
                                    .checkTokens(RETENTION))
                    .withMessageContaining("in the future by this machine's clock");
        }
    }

    private static Resumable inDoubt(PositionFile file, Position.Mark sent, long time) {
        return new Resumable(
                file, new Position("run", 0, Position.Mark.START, sent, time), List.of("a", "b"), new CRC32C());
    }
}
