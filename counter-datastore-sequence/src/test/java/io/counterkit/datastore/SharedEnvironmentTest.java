package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.NamespaceManager;
import com.google.appengine.api.datastore.Entity;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The environment that the threads of one request share, and the namespace of the backend. */
@Isolated("changes the locale of the process")
class SharedEnvironmentTest extends StoreTest {
    private final DatastoreSequenceBackend ofTenant = DatastoreSequenceBackend.create(
            DatastoreSequenceOptions.builder().namespace("tenant").build());
    private final Counters counters = Counters.over(ofTenant);

    @AfterEach
    void leaveNamespace() {
        NamespaceManager.set("");
    }

    @Test
    void otherThreadsOfARequestKeepTheirNamespaceDuringCalls() {
        NamespaceManager.set("mine");
        TreeSet<String> seen = new TreeSet<>();
        store.delegate().disturb(method -> {
            seen.add(NamespaceManager.get());
            return null;
        });
        counters.sequence("s").append(Map.of(), IdempotencyToken.random());
        counters.sequence("s").erase(1);
        counters.counter("c").add(1);
        counters.counter("c").reset();
        counters.counterNames("");
        counters.resolve(IdempotencyToken.random());
        ofTenant.purgeTokens(1);
        assertThat(seen).containsExactly("mine");
        assertThat(NamespaceManager.get()).isEqualTo("mine");
    }

    @Test
    void namespaceThatAnotherThreadOfTheRequestSetsIsNotUsed() {
        for (int call = 1; call <= 5; call++) {
            int[] left = {call};
            store.delegate().disturb(method -> {
                if (--left[0] == 0) {
                    NamespaceManager.set("other");
                }
                return null;
            });
            counters.sequence("s").append(Map.of("call", (long) call), IdempotencyToken.random());
            assertThat(NamespaceManager.get()).isEqualTo(left[0] <= 0 ? "other" : "");
            NamespaceManager.set("");
        }
        assertThat(counters.sequence("s").last()).isEqualTo(5);
        for (String kind : List.of("Entry", "Name", "Token")) {
            NamespaceManager.set("other");
            assertThat(count("CounterKit" + kind)).isZero();
            NamespaceManager.set("");
            assertThat(count("CounterKit" + kind)).isZero();
        }
    }

    @Test
    void functionOfATransactionRunsInItsCallersNamespace() {
        NamespaceManager.set("mine");
        List<String> namespaces = new ArrayList<>();
        ofTenant.transact(IdempotencyToken.random(), tx -> {
            tx.append("s", Map.of());
            namespaces.add(NamespaceManager.get());
            Entity own = new Entity("Own", "one");
            namespaces.add(own.getNamespace());
            datastore.put(tx.transaction(), own);
        });
        assertThat(namespaces).containsExactly("mine", "mine");
        assertThat(counters.sequence("s").last()).isEqualTo(1);
    }

    @Test
    void keysAreTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        counters.sequence("s").next();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            Counters elsewhere = Counters.over(DatastoreSequenceBackend.create(
                    DatastoreSequenceOptions.builder().namespace("tenant").build()));
            assertThat(elsewhere.sequence("s").next()).isEqualTo(2);
        } finally {
            Locale.setDefault(before);
        }
        assertThat(counters.sequence("s").read(1, 9)).hasSize(2);
    }

    @Test
    void noTransactionStaysOpenOnTheThread() {
        for (Disturbance disturbance : Disturbance.all()) {
            for (int call = 1; call <= 6; call++) {
                int[] left = {call};
                store.delegate().disturb(method -> --left[0] == 0 ? disturbance : null);
                try {
                    counters.sequence("s").append(Map.of(), IdempotencyToken.random());
                } catch (CounterException e) {
                    // its outcome does not matter here
                }
                store.delegate().release();
                assertThat(datastore.getActiveTransactions())
                        .as("%s of call %d", disturbance, call)
                        .isEmpty();
                assertThat(datastore.getCurrentTransaction(null)).isNull();
            }
        }
    }
}
