package io.counterkit.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.inmemory.InMemoryStore;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestContextManager;

/** Spring caches contexts, but a slice ends its own after each test method, while another one may run. */
class ConcurrentSlicesTest {
    @CounterKitTest
    static class One {}

    @CounterKitTest
    static class Two {
        @Nested
        class Part {}
    }

    private static InMemoryStore store(Class<?> slice) {
        return new TestContextManager(slice)
                .getTestContext()
                .getApplicationContext()
                .getBean(InMemoryStore.class);
    }

    @Test
    void slicesShareNoStore() {
        assertThat(store(One.class)).isSameAs(store(One.class)).isNotSameAs(store(Two.class));
    }

    @Test
    void nestedTestsHaveTheStoreOfTheTestAroundThem() {
        assertThat(store(Two.Part.class)).isSameAs(store(Two.class));
    }
}
