package io.counterkit.firestore.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.LateCalls;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests imports whose commit reaches the store when the counter was deleted or sealed since. */
class ExtensionImportLateTest extends ExtensionImportSetup {
    private final LateCalls late = new LateCalls();
    private final Firestore lateClient = FirestoreFixture.emulator().connect(project, UnaryOperator.identity(), late);
    private final FirestoreCounterBackend lateBackend = FirestoreCounterBackend.create(lateClient);

    @AfterEach
    void closeLate() throws Exception {
        lateBackend.close();
        lateClient.close();
    }

    /** Imports 10 and 5, with a commit that was repeated because it is late. */
    private void importWithLateCommit() {
        setPage(Map.of("visits", 10));
        client("visits").incrementBy(5);
        late.delayNext();
        assertThat(run(ExtensionImport.of(lateBackend, "pages", List.of("visits")))
                        .left())
                .isEmpty();
        assertThat(late.count()).isEqualTo(1);
        assertThat(total("visits")).isEqualTo(15);
    }

    private void sendLateCommit() {
        late.release();
        await().until(late::isQuiet);
    }

    @Test
    void lateCommit_afterADelete_changesNothing() {
        importWithLateCommit();
        counters.counter("pages/home/visits").delete();
        client("visits").incrementBy(3);
        sendLateCommit();
        run(of("visits"));
        assertThat(total("visits")).isEqualTo(3);
        assertThat(shown("visits")).isEqualTo(3L);
        assertThat(shards()).isEmpty();
    }

    @Test
    void lateCommit_afterASeal_changesNothing() {
        importWithLateCommit();
        counters.counter("pages/home/visits").seal("elsewhere");
        client("visits").incrementBy(3);
        sendLateCommit();
        assertThat(run(of("visits")).left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("sealed at 15"));
        assertThat(total("visits")).isEqualTo(15);
        assertThat(shown("visits")).isEqualTo(15L);
        assertThat(shards().values()).as("what comes after the seal").containsExactly(Map.of("visits", 3L));
    }
}
