package io.counterkit.firestore.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Counters;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that an import of more documents than a page has keeps none of them in memory, and that it ends soon when asked
 * to.
 */
class ExtensionImportSizeTest {
    private static final int PAGE = 300;

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Firestore firestore = fixture.client();
    private final FirestoreCounterBackend backend = fixture.connect();
    private final Counters counters = Counters.over(backend);
    private final ExtensionImport job = ExtensionImport.of(backend, "pages", List.of("visits"));

    @AfterEach
    void close() {
        job.close();
        counters.close();
        fixture.close();
    }

    /** Creates pages/1001, pages/1002 and so on, without the field. */
    private void createPages(int pages) {
        WriteBatch batch = firestore.batch();
        for (int i = 1; i <= pages; i++) {
            batch.set(firestore.document("pages/" + (1_000 + i)), Map.of("title", "Page " + i));
        }
        TestStore.await(batch.commit());
    }

    private void visit(String page, int visits) {
        new ExtensionClient(firestore, "pages/" + page, "visits").incrementBy(visits);
    }

    /**
     * Takes over 600 documents. Some with shards do not exist: before all others, between them, at the border of a
     * page, and behind.
     */
    @Test
    @Tag("exhaustive")
    void documentsOfSeveralPages_areTakenOverOnce_pageByPage() {
        createPages(PAGE + 2);
        List<String> visited = List.of("1", "1001", "1001a", "1300", "1300a", "1301", "1302", "9");
        for (int i = 0; i < visited.size(); i++) {
            visit(visited.get(i), 1 << i);
        }
        visit("1300/comments/c1", 1_000);
        int before = fixture.faults().calls().size();

        ExtensionImportReport report = job.run().join();
        assertThat(report)
                .isEqualTo(new ExtensionImportReport(
                        PAGE + 2 + 4, visited.size(), visited.size(), (1 << visited.size()) - 1, List.of(), List.of()));
        for (int i = 0; i < visited.size(); i++) {
            assertThat(counters.counter("pages/" + visited.get(i) + "/visits").get())
                    .as(visited.get(i))
                    .isEqualTo(1 << i);
        }
        List<String> calls = fixture.faults().calls();
        assertThat(calls.subList(before, calls.size()).indexOf("Commit"))
                .as("calls before the first document is taken over")
                .isLessThan(100);
        assertThat(job.run().join())
                .isEqualTo(new ExtensionImportReport(PAGE + 2 + 4, visited.size(), 0, 0, List.of(), List.of()));
    }

    @Test
    void close_endsThePassAfterThePresentDocuments() throws InterruptedException {
        createPages(100);
        int before = fixture.faults().calls().size();
        Thread closing = new Thread(job::close);
        try (CallFault held = fixture.faults().inject(StoreFault.HOLD, 20)) {
            job.start(Duration.ofMillis(20));
            await().until(held::isHit);
            closing.start();
            await().until(() -> closing.getState() == Thread.State.WAITING);
        }
        closing.join();
        assertThat(fixture.faults().calls().size() - before)
                .as("calls, of at least two for each document")
                .isLessThan(100);
    }
}
