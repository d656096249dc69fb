package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.tck.Prerequisite;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A migration from one collection of a Firestore database to another, where both stores share the collection of tokens.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OneDatabaseMigrationTest {
    private final Firestore firestore =
            Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
    private final IdempotencyToken token = IdempotencyToken.random();

    @AfterEach
    void close() {
        firestore.shutdown();
    }

    private FirestoreCounterBackend end(String collection) {
        return FirestoreCounterBackend.create(
                firestore,
                FirestoreCounterOptions.builder().sequenceCollection(collection).build());
    }

    @Test
    void tokensBeforeAndAfterTheMove_areEachAppliedOnce() {
        IdempotencyToken earlier = IdempotencyToken.random();
        try (Counters before = Counters.over(end("old"))) {
            before.sequence("orders").append(Map.of("of", "earlier"), earlier);
        }
        MigrationOptions options =
                MigrationOptions.builder("old", "new").rollout(Rollout.at(100)).build();
        try (Counters moved = Counters.over(MigratingBackend.create(end("old"), end("new"), options))) {
            Sequence orders = moved.sequence("orders");
            for (int time = 0; time < 2; time++) {
                assertThat(orders.append(Map.of("of", "this"), token))
                        .extracting(Entry::number, Entry::fields)
                        .containsExactly(2L, Map.of("of", "this"));
                assertThat(orders.append(Map.of("of", "earlier"), earlier).number())
                        .isEqualTo(1);
            }
            assertThat(orders.append(Map.of()).number()).isEqualTo(3);
            assertThat(moved.resolve(token)).isEqualTo(new Resolution.Appended("orders", 2));
            assertThat(moved.resolve(earlier)).isEqualTo(new Resolution.Appended("orders", 1));
            assertThat(orders.last()).isEqualTo(3);
        }
        try (Counters after = Counters.over(end("new"))) {
            assertThat(after.sequence("orders").append(Map.of(), token).number())
                    .isEqualTo(2);
        }
    }
}
