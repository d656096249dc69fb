package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentlyUsedTest {
    private final RecentlyUsed<String, Integer> cache = new RecentlyUsed<>(2);

    @Test
    void newEntryEvictsTheLeastRecentlyUsed() {
        cache.put("a", 1);
        cache.put("b", 2);
        assertThat(cache.get("a")).isEqualTo(1);

        cache.put("c", 3);

        assertThat(cache.get("b")).isNull();
        assertThat(cache.get("a")).isEqualTo(1);
        assertThat(cache.get("c")).isEqualTo(3);
    }

    @Test
    void putOfAPresentKey_replacesItsValueAndEvictsNothing() {
        cache.put("a", 1);
        cache.put("b", 2);
        cache.put("a", 3);

        assertThat(cache.get("a")).isEqualTo(3);
        assertThat(cache.get("b")).isEqualTo(2);
    }

    @Test
    void computeIfAbsent_createsOnceAndEvictsLikePut() {
        assertThat(cache.computeIfAbsent("a", String::length)).isEqualTo(1);
        assertThat(cache.computeIfAbsent("a", key -> 99)).isEqualTo(1);
        cache.put("b", 2);
        assertThat(cache.computeIfAbsent("a", key -> 99)).isEqualTo(1);
        assertThat(cache.computeIfAbsent("c", key -> 3)).isEqualTo(3);

        assertThat(cache.get("b")).isNull();
        assertThat(cache.get("a")).isEqualTo(1);
    }

    @Test
    void remove_makesRoom() {
        cache.put("a", 1);
        cache.put("b", 2);
        cache.remove("a");
        cache.remove("never there");
        cache.put("c", 3);

        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("b")).isEqualTo(2);
        assertThat(cache.get("c")).isEqualTo(3);
    }

    @Test
    void evictedValues_areReported() {
        List<Integer> evicted = new ArrayList<>();
        RecentlyUsed<String, Integer> reporting = new RecentlyUsed<>(2, evicted::add);
        reporting.put("a", 1);
        reporting.put("b", 2);
        reporting.put("c", 3);
        assertThat(evicted).containsExactly(1);

        reporting.clear();

        assertThat(evicted).containsExactly(1, 2, 3);
        assertThat(reporting.get("b")).isNull();
    }
}
