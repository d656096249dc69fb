package io.counterkit.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.ManualClock;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** With the property of a real store, which the test replaces. */
@SpringBootTest(properties = {"counterkit.backend=jdbc", "spring.datasource.url=jdbc:sqlite::memory:"})
@CounterKitTest
class WholeApplicationTest {
    @Test
    void wholeApplicationCountsInMemory(
            @Autowired Likes likes,
            @Autowired Mail mail,
            @Autowired InMemoryStore store,
            @Autowired ManualClock clock) {
        String post = "posts/" + UUID.randomUUID();
        likes.like(post, IdempotencyToken.of("click-" + post));
        assertThat(store.dump().counters()).containsEntry(post, 1L);
        assertThat(mail).isNotNull();
        assertThat(clock.instant()).isEqualTo("2026-01-01T00:00:00Z");
    }
}
