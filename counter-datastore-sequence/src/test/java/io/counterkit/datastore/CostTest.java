package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.datastore.DatastoreService;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.CounterStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The entities that an operation reads and writes, as in the table of costs in docs/datastore.md. */
class CostTest extends StoreTest {
    /** The number of keys or entities that were passed to each method of the service. */
    private final Map<String, Integer> handed = new TreeMap<>();

    private final Counters counters =
            Counters.over(DatastoreSequenceBackend.create(counting(), DatastoreSequenceOptions.defaults()));

    private DatastoreService counting() {
        return (DatastoreService) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DatastoreService.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[arguments.length - 1] instanceof Iterable<?> many) {
                        int size = (int) many.spliterator().getExactSizeIfKnown();
                        handed.merge(method.getName(), size, Integer::sum);
                    }
                    try {
                        return method.invoke(datastore, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Map<String, Integer> costOf(Runnable operation) {
        handed.clear();
        operation.run();
        return handed;
    }

    @Test
    void warmAppendAndAddReadThreeKeysAndWriteTwoEntities_whateverIsThere() {
        Sequence sequence = counters.sequence("s");
        Counter counter = counters.counter("c");
        for (int i = 0; i < 200; i++) {
            sequence.next();
            counter.increment();
            if (i > 2) {
                assertThat(costOf(sequence::next)).isEqualTo(Map.of("get", 3, "put", 2));
                assertThat(costOf(counter::increment)).isEqualTo(Map.of("get", 3, "put", 2));
            }
        }
        assertThat(costOf(counter::get)).isEqualTo(Map.of("get", 2));
        assertThat(costOf(sequence::last)).isEqualTo(Map.of("get", 2));
    }

    @Test
    void asManyAddsShareATransactionAsFit() {
        assertThat(mostAdds(false)).isEqualTo(22);
        assertThat(mostAdds(true)).isEqualTo(11);
    }

    private static int mostAdds(boolean withTokens) {
        CounterStore store = backend().counters();
        List<AddRequest> adds = new ArrayList<>();
        for (int left = store.limits().maxWeight(); left > 0; ) {
            AddRequest add = new AddRequest("most", 1, withTokens ? IdempotencyToken.random() : null);
            left -= store.weight(add);
            if (left >= 0) {
                adds.add(add);
            }
        }
        assertThat(store.add(adds, commit()).join()).allMatch(result -> result.failure() == null);
        return adds.size();
    }
}
