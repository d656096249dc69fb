package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.fixture.Threads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Appends and adds in a transaction of the application. */
class TransactTest extends StoreTest {
    private final DatastoreSequenceBackend backend = backend();
    private final Counters counters = Counters.over(backend);
    private final IdempotencyToken token = IdempotencyToken.random();

    /** Stores an order with its number, and counts the customer's orders. */
    private TransactionResult order(IdempotencyToken orderToken, String customer) {
        return backend.transact(orderToken, tx -> {
            Entity order = new Entity("Order", orderToken.value());
            order.setProperty("number", tx.append("orders", Change.ADDED, orderToken.value(), Map.of("who", customer)));
            tx.append("audit", Map.of("what", "order"));
            tx.append("audit", Map.of("what", "mail"));
            tx.add("orders of " + customer, 1);
            datastore.put(tx.transaction(), order);
        });
    }

    @Test
    void everythingIsCommittedTogether() throws Exception {
        assertThat(order(token, "ada")).isEqualTo(new TransactionResult(List.of(1L, 1L, 2L), false));
        Key key = KeyFactory.createKey("Order", token.value());
        assertThat(datastore.get(null, key).getProperty("number")).isEqualTo(1L);
        assertThat(counters.sequence("audit").read(1, 9)).hasSize(2);
        assertThat(counters.counter("orders of ada").get()).isEqualTo(1);
        assertThat(counters().counterNames("").names()).containsExactly("orders of ada");
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.Committed());
    }

    @Test
    void repeatedTokenChangesNothing() {
        TransactionResult first = order(token, "ada");
        assertThat(order(token, "bob")).isEqualTo(new TransactionResult(first.numbers(), true));
        assertThat(counters.sequence("orders").last()).isEqualTo(1);
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter("other").add(1, token));
    }

    @Test
    void tokenOfAnotherChangeIsRefused() {
        counters.counter("other").add(1, token);
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> order(token, "ada"));
        IdempotencyToken voided = IdempotencyToken.random();
        counters.resolve(voided);
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> order(voided, "ada"));
        assertThat(counters.sequence("orders").last()).isZero();
    }

    @Test
    void nothingIsCommittedWhenTheFunctionThrows() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.append("orders", Map.of());
                    throw new IllegalArgumentException("no such customer");
                }))
                .withMessage("no such customer");
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.add("c", 1);
                    tx.append("orders", Change.REMOVED, "never added", Map.of());
                }));
        assertThat(counters.sequence("orders").tail()).isEqualTo(Tail.EMPTY);
        assertThat(counters.counter("c").get()).isZero();
        assertThat(order(token, "ada").numbers()).hasSize(3);
    }

    @Test
    void outcomeIsUnknownWhateverTheFunctionThrowsAfterALostCommit() {
        AtomicInteger commits = new AtomicInteger();
        store.delegate()
                .disturb(method -> method.equals("Commit") && commits.incrementAndGet() == 1
                        ? Disturbance.failBefore(Disturbance.StoreError.TIMEOUT)
                        : null);
        AtomicInteger runs = new AtomicInteger();
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.append("orders", Map.of());
                    if (runs.incrementAndGet() == 2) {
                        throw new NotAppliedException("something else of the application's");
                    }
                }))
                .satisfies(e -> assertThat(e.token()).isEqualTo(token));
    }

    @Test
    void refusedCommitIsReportedAsNotApplied() {
        store.delegate().disturb(method -> {
            if (method.equals("Commit")) {
                throw new ApiProxy.RequestTooLargeException("datastore_v3", method);
            }
            return null;
        });
        assertThatExceptionOfType(NotAppliedException.class).isThrownBy(() -> order(token, "ada"));
        store.delegate().release();
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.NotApplied());
    }

    @Test
    void contentionInTheFunctionIsReportedAsContention() {
        DatastoreSequenceBackend once = DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().maxAttempts(1).build());
        assertThatExceptionOfType(ContentionException.class)
                .isThrownBy(() -> once.transact(token, tx -> {
                    store.delegate()
                            .disturb(method -> method.equals("Get")
                                    ? Disturbance.failBefore(Disturbance.StoreError.CONTENTION)
                                    : null);
                    tx.append("orders", Map.of());
                }));
    }

    @Test
    void sealRefusesTheTransaction() {
        counters.sequence("orders").seal("elsewhere");
        assertThatExceptionOfType(SealedException.class).isThrownBy(() -> order(token, "ada"));
        assertThat(counters.counter("orders of ada").get()).isZero();
    }

    @Test
    void subjectIsFollowedWithinTheTransaction() {
        backend.transact(token, tx -> {
            tx.append("things", Change.ADDED, "a", Map.of());
            tx.append("things", Change.UPDATED, "a", Map.of());
            tx.append("things", Change.REMOVED, "a", Map.of());
            tx.append("things", Change.ADDED, "b", Map.of());
        });
        assertThat(counters.sequence("things").tail()).isEqualTo(new Tail(4, 1, null));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> counters.sequence("things").append(Change.ADDED, "b", Map.of()));
        counters.sequence("things").append(Change.ADDED, "a", Map.of());
    }

    @Test
    void concurrentTransactionsLeaveNoGapAndNoDouble() throws Exception {
        AtomicLong committed = new AtomicLong();
        CyclicBarrier ready = new CyclicBarrier(4);
        Threads.runAll(store, 4, thread -> {
            ready.await();
            for (int i = 0; i < 10; i++) {
                order(IdempotencyToken.of(thread + "/" + i), "ada");
                committed.incrementAndGet();
            }
        });
        assertThat(committed).hasValue(40);
        assertThat(counters.sequence("orders").last()).isEqualTo(40);
        assertThat(counters.sequence("orders").read(1, 40)).hasSize(40);
        assertThat(counters.sequence("audit").last()).isEqualTo(80);
        assertThat(counters.counter("orders of ada").get()).isEqualTo(40);
        assertThat(count("Order")).isEqualTo(40);
    }

    @Test
    void lostReplyOfAnyCallCommitsOnce() {
        for (Disturbance disturbance : Disturbance.all()) {
            long before = counters.sequence("orders").last();
            int call = 0;
            AtomicInteger left = new AtomicInteger();
            while (left.get() <= 0) {
                left.set(++call);
                store.delegate().disturb(method -> left.decrementAndGet() == 0 ? disturbance : null);
                orderUntilKnown(IdempotencyToken.random());
                store.delegate().release();
            }
            assertThat(counters.sequence("orders").last()).as("%s", disturbance).isEqualTo(before + call);
        }
        assertThat(counters.counter("orders of ada").get())
                .isEqualTo(counters.sequence("orders").last())
                .isEqualTo(count("Order"));
    }

    private void orderUntilKnown(IdempotencyToken orderToken) {
        for (int attempt = 1; attempt <= 5; attempt++) {
            try {
                order(orderToken, "ada");
                return;
            } catch (OutcomeUnknownException e) {
                assertThat(e.token()).isEqualTo(orderToken);
            } catch (CounterException e) {
                assertThat(attempt).as("attempts that were not applied: %s", e).isLessThan(5);
            }
        }
    }
}
