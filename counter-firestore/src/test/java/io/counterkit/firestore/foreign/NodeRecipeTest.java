package io.counterkit.firestore.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a Node.js program with the recipe of Firestore's documentation shares a counter with this backend. */
@Tag("exhaustive")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class NodeRecipeTest {
    private static final int TIMES = 400;
    private static final String SHARDS = "10";

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters counters = Counters.over(fixture.connect());
    private final Counter counter = counters.counter("node-" + UUID.randomUUID());
    private NodeProgram node;

    @BeforeEach
    void install() {
        node = Prerequisite.required(() -> NodeProgram.install(fixture.project()));
    }

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    @Test
    void counterCreatedByTheRecipe_isSharedWithThisBackend() throws Exception {
        node.run("create", counter.name(), SHARDS);
        assertThat(counter.get()).isZero();

        addTogether();
    }

    @Test
    void counterCreatedByThisBackend_isSharedWithTheRecipe() throws Exception {
        counter.add(0);
        assertThat(node.run("total", counter.name())).isEqualTo("0");

        addTogether();
    }

    /** Adds from both at once; then both read the total. */
    private void addTogether() throws Exception {
        Process adding = node.start(List.of("add", counter.name(), SHARDS, String.valueOf(TIMES), "8"));
        try {
            awaitLine(adding, "adding");
            long ours = 0;
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            do {
                // One blocking add, and one asynchronous one.
                adds.add(counter.async().add(7));
                counter.add(5);
                ours += 12;
            } while (adding.isAlive());
            adds.forEach(CompletableFuture::join);
            assertThat(NodeProgram.output(adding)).endsWith("done\n");
            assertThat(ours).as("added meanwhile").isPositive();

            assertThat(counter.get()).isEqualTo(TIMES + ours);
            assertThat(node.run("total", counter.name())).isEqualTo(String.valueOf(TIMES + ours));
        } finally {
            adding.destroyForcibly();
        }
    }

    /** Reads one line and no further byte, so that the rest can be read after the process has ended. */
    private static void awaitLine(Process process, String line) throws IOException {
        StringBuilder output = new StringBuilder();
        while (!("\n" + output).endsWith("\n" + line + "\n")) {
            int next = process.getInputStream().read();
            assertThat(next).as("what comes after: %s", output).isNotNegative();
            output.append((char) next);
        }
    }
}
