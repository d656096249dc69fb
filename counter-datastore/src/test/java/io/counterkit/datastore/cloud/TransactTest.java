package io.counterkit.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.Entity;
import com.google.cloud.datastore.Key;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.Disturbance.StoreError;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Appends and adds in a transaction of the application, with its own entities. */
class TransactTest {
    private final CloudStore store = Emulator.FRESH.store();
    private final Datastore datastore = store.client();
    private final DatastoreCounterBackend backend = store.connect();
    private final Counters counters = CloudStore.patient(backend);
    private final String name = UUID.randomUUID().toString();
    private final Key order = datastore.newKeyFactory().setKind("Order").newKey(name);
    private final IdempotencyToken token = IdempotencyToken.random();

    @AfterEach
    void close() {
        counters.close();
        store.close();
    }

    private void book(DatastoreTransaction tx) {
        Entity before = tx.transaction().get(order);
        long number = tx.append(name, Map.of("item", "tea"));
        tx.add(name, 3);
        long booked = before == null ? 0 : before.getLong("booked");
        tx.transaction()
                .put(Entity.newBuilder(order)
                        .set("booked", booked + 1)
                        .set("number", number)
                        .build());
    }

    @Test
    void entitiesOfTheApplicationAreStoredTogetherWithTheEntry() {
        assertThat(backend.transact(token, this::book)).isEqualTo(new TransactionResult(List.of(1L), false));
        assertThat(backend.transact(token, this::book)).isEqualTo(new TransactionResult(List.of(1L), true));
        assertThat(datastore.get(order).getLong("booked")).isEqualTo(1);
        assertThat(counters.sequence(name).last()).isEqualTo(1);
        assertThat(counters.counter(name).get()).isEqualTo(3);
    }

    @Test
    void lostReplyOfTheCommitAppliesOnce() {
        for (StoreError error : List.of(StoreError.RPC_FAILED, StoreError.DEADLINE_EXCEEDED)) {
            AtomicInteger commits = new AtomicInteger();
            store.proxy()
                    .disturb(method -> method.equals("commit") && commits.incrementAndGet() == 1
                            ? Disturbance.loseReply(error)
                            : null);
            TransactionResult unused = backend.transact(IdempotencyToken.random(), this::book);
        }
        assertThat(datastore.get(order).getLong("booked")).isEqualTo(2);
        assertThat(counters.sequence(name).last()).isEqualTo(2);
    }

    @Test
    void whatTheFunctionThrowsIsThrownAsItIsAndNothingIsStored() {
        IllegalStateException own = new IllegalStateException("sold out");
        assertThatThrownBy(() -> backend.transact(token, tx -> {
                    book(tx);
                    throw own;
                }))
                .isSameAs(own);
        assertThat(datastore.get(order)).isNull();
        assertThat(counters.sequence(name).last()).isZero();
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.NotApplied());
    }
}
