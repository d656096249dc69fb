package io.counterkit.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.ManualClock;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

@CounterKitTest
@Import(Likes.class)
class SliceTest {
    @Autowired
    private Likes likes;

    @Autowired
    private InMemoryStore store;

    @Autowired
    private ManualClock clock;

    /** The second run finds an empty store. */
    @RepeatedTest(2)
    void eachTestHasAStoreOfItsOwn() {
        likes.like("posts/42", IdempotencyToken.of("click-1"));
        assertThat(store.dump().counters()).containsEntry("posts/42", 1L);
    }

    @Test
    void faultsReachTheComponent() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("posts/42"));
        likes.like("posts/42", IdempotencyToken.of("click-1"));
        likes.like("posts/42", IdempotencyToken.of("click-1"));
        assertThat(store.dump().counters()).containsEntry("posts/42", 1L);
    }

    @Test
    void tokensExpireByTheManualClock() {
        likes.like("posts/42", IdempotencyToken.of("click-1"));
        clock.advance(Duration.ofHours(25));
        likes.like("posts/42", IdempotencyToken.of("click-1"));
        assertThat(store.dump().counters()).containsEntry("posts/42", 2L);
    }

    @Test
    void otherPartsOfTheApplicationAreLeftOut(@Autowired ApplicationContext context) {
        assertThat(context.getBeanNamesForType(Mail.class)).isEmpty();
        assertThat(context.getBeanNamesForType(DataSource.class)).isEmpty();
    }
}
