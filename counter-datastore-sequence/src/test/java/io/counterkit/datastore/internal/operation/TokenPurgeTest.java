package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.internal.client.EntityMapping;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.schema.TokenFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The purge of tokens during their use, and while the store fails. */
class TokenPurgeTest extends StoreTest {
    private static final Duration RETENTION = Duration.ofHours(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final DatastoreKeys keys = new DatastoreKeys("CounterKit");
    private final EntityMapping mapping = new EntityMapping(new Namespace(""));
    private final String name = "c-" + UUID.randomUUID();

    private DatastoreSequenceBackend process() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                .clock(now::get)
                .retention(RETENTION)
                .pauses(Duration.ofNanos(100_000), Duration.ofMillis(1))
                .build());
    }

    private void expireAll() {
        now.set(now.get().plus(RETENTION).plusMillis(1));
    }

    /** Stores tokens that are used now. */
    private void use(int tokens) {
        List<Entity> used = new ArrayList<>();
        for (int i = 0; i < tokens; i++) {
            used.add(mapping.entity(TokenFormat.entity(
                    keys,
                    IdempotencyToken.random(),
                    new TokenNote.Voided(),
                    now.get().plus(RETENTION))));
        }
        datastore.put(null, used);
    }

    /** Lets a purge mark all expired tokens, so that the next purge removes them. */
    private void expireAllOnceSeen() {
        expireAll();
        assertThat(process().purgeTokens(500)).as("seen").isPositive();
        expireAll();
    }

    /** Before each call of a purge, another process removes the token, and its owner uses it again. */
    @Test
    void tokenUsedAgainDuringThePurgeIsKept() {
        AtomicInteger left = new AtomicInteger();
        for (int call = 1; left.get() <= 0; call++) {
            assertThat(call).as("calls of one purge").isLessThan(30);
            String each = name + "/" + call;
            IdempotencyToken token = IdempotencyToken.random();
            Counter counter = Counters.over(process()).counter(each);
            counter.add(5, token);
            expireAllOnceSeen();
            left.set(call);
            store.delegate().disturb(method -> {
                if (left.decrementAndGet() == 0) {
                    int unused = process().purgeTokens(500);
                    Counters.over(process()).counter(each).add(5, token);
                }
                return null;
            });
            int removed = process().purgeTokens(500);
            store.delegate().release();
            if (left.get() <= 0) {
                assertThat(removed).as("removed, disturbed at call %s", call).isZero();
                counter.add(5, token);
                assertThat(counter.get())
                        .as("total, disturbed at call %s", call)
                        .isEqualTo(10);
            } else {
                assertThat(removed).isOne();
            }
            expireAll();
            assertThat(process().purgeTokens(500)).as("seen").isEqualTo(left.get() <= 0 ? 1 : 0);
            expireAll();
            assertThat(process().purgeTokens(500)).isEqualTo(left.get() <= 0 ? 1 : 0);
        }
    }

    @Test
    void tokensRemovedByAnotherPurgeAreNotCounted() {
        use(30);
        expireAllOnceSeen();
        AtomicInteger left = new AtomicInteger(2);
        store.delegate().disturb(method -> {
            if (left.decrementAndGet() == 0) {
                assertThat(process().purgeTokens(10)).isEqualTo(10);
            }
            return null;
        });
        assertThat(process().purgeTokens(500)).isEqualTo(20);
        assertThat(count("CounterKitToken")).isZero();
    }

    /** The rows of removed tokens stay in the index for a while, and a query that passes them all is slow. */
    @Test
    void nextQueryStartsAtTheLastPurgedToken() {
        DatastoreSequenceBackend purging = process();
        use(1);
        now.set(now.get().plusMillis(1));
        use(29);
        expireAll();
        assertThat(purging.purgeTokens(10)).isEqualTo(10);
        now.set(now.get().minus(RETENTION).minusMillis(10)); // as a writer whose clock is behind
        use(1);
        expireAll();
        now.set(now.get().plusMillis(20));
        assertThat(purging.purgeTokens(500)).as("those after the position").isEqualTo(20);
        assertThat(purging.purgeTokens(500)).as("those after the position").isZero();
        assertThat(process().purgeTokens(500)).as("all, by another process").isOne();
        expireAll();
        assertThat(purging.purgeTokens(500)).as("all, after the retention").isEqualTo(31);
        assertThat(count("CounterKitToken")).isZero();
    }

    /** A wrong count would end a purging job too early, or let it exceed its limit. */
    @Test
    @Tag("exhaustive")
    void limitAndCountAreExactWhicheverCallFails() {
        for (Disturbance disturbance : Disturbance.all()) {
            AtomicInteger left = new AtomicInteger();
            for (int call = 1; left.get() <= 0; call++) {
                assertThat(call).as("calls of one purge").isLessThan(60);
                use(30);
                expireAll();
                use(1);
                assertPurged(28, call, disturbance, left);
                assertThat(process().purgeTokens(28)).as("seen").isEqualTo(2);
                assertThat(process().purgeTokens(28)).isZero();
                assertThat(count("CounterKitToken")).isEqualTo(31);
                expireAll();
                use(1);
                expireAll(); // for the retention that the purge set
                assertPurged(28, call, disturbance, left);
                store.delegate().assertAllTransactionsAreEnded();
                assertThat(process().purgeTokens(28)).isEqualTo(4);
                assertThat(count("CounterKitToken")).as("young ones").isEqualTo(2);
                expireAll();
                assertThat(process().purgeTokens(28)).isEqualTo(2);
                assertThat(count("CounterKitToken")).isZero();
            }
        }
    }

    private void assertPurged(int limit, int call, Disturbance disturbance, AtomicInteger left) {
        left.set(call);
        store.delegate().disturb(method -> left.decrementAndGet() == 0 ? disturbance : null);
        assertThat(process().purgeTokens(limit))
                .as("%s of call %s", disturbance, call)
                .isEqualTo(limit);
        store.delegate().release();
    }
}
