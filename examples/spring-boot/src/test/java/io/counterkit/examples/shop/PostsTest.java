package io.counterkit.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.OutcomeUnknownException;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spring.test.CounterKitTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

// docs: slice
@CounterKitTest
@Import(Posts.class)
class PostsTest {
    @Autowired
    private Posts posts;

    @Autowired
    private InMemoryStore store;

    @Test
    void clickThatIsRepeatedAfterALostReplyCountsOnce() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("posts/42/likes"));
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> posts.like("42", "click-1"));
        assertThat(posts.like("42", "click-1")).isEqualTo(1);
    }
}
// docs: end
