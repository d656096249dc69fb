package io.counterkit.firestore.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.CallFaults;
import io.counterkit.firestore.fixture.CuttingProxy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the published recipe with this backend: for each of twenty increments, the connection breaks once between
 * the store's commit and its reply.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@SuppressWarnings("try") // the close of Google's client declares Exception
class PublishedRecipeTest {
    private static final int INCREMENTS = 20;

    private final String project = "demo-" + UUID.randomUUID();
    private final String name = "recipe-" + UUID.randomUUID();
    private final CallFaults calls = new CallFaults();

    @ParameterizedTest
    @EnumSource
    void publishedRecipeOnTheDefaultClient_reportsSuccessAndStoresTwice(CuttingProxy.Cut cut) throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(FirestoreFixture.emulator().hostAndPort(), cut);
                Firestore client = connect(proxy)) {
            PublishedRecipe recipe = new PublishedRecipe(client, name);
            recipe.create();
            for (int i = 0; i < INCREMENTS; i++) {
                proxy.arm();
                recipe.increment();
            }
            assertThat(proxy.cuts()).isEqualTo(INCREMENTS);
            assertThat(recipe.total()).isEqualTo(2 * INCREMENTS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thisBackendOnTheDefaultClient_reportsSuccessAndStoresOnce(CuttingProxy.Cut cut) throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(FirestoreFixture.emulator().hostAndPort(), cut);
                Firestore client = connect(proxy);
                Counters counters = Counters.over(FirestoreCounterBackend.create(client))) {
            Counter counter = counters.counter(name);
            // From here on an add is a single commit.
            counter.add(0);
            int before = commits();
            for (int i = 0; i < INCREMENTS; i++) {
                proxy.arm();
                counter.increment();
            }
            assertThat(proxy.cuts()).isEqualTo(INCREMENTS);
            assertThat(commits() - before).as("each commit was sent again").isEqualTo(2 * INCREMENTS);
            assertThat(counter.get()).isEqualTo(INCREMENTS);
            assertThat(new PublishedRecipe(client, name).total()).isEqualTo(INCREMENTS);
        }
    }

    private int commits() {
        return Collections.frequency(calls.calls(), "Commit");
    }

    /** Records the calls; injects no fault. */
    private Firestore connect(CuttingProxy proxy) {
        return ClientRetries.DEFAULT.connect(FirestoreEmulator.at(proxy.hostAndPort()), project, calls);
    }
}
