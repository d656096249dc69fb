package io.counterkit.cli.google;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import org.junit.jupiter.api.Test;

/** Bulk work starts slowly where the help of {@code --ramp} states. */
class RampDefaultTest {
    @Test
    void realStores_haveARamp_andEmulatorsHaveNone() {
        assertThat(new FirestoreConnection(null, null, false, null).ramp()).isNotNull();
        assertThat(new RemoteDatastore(null, false, null).ramp()).isNotNull();
        assertThat(new FirestoreConnection(null, null, true, null).ramp()).isNull();
        assertThat(new RemoteDatastore(null, true, null).ramp()).isNull();
        assertThat(CommandRun.of("help", "ingest").out().replaceAll("\\s+", " "))
                .contains("Default: on a real Firestore or Datastore only.");
    }
}
