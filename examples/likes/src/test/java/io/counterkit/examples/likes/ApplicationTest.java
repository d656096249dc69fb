package io.counterkit.examples.likes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.AbstractModule;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ApplicationTest {
    @Test
    void storeIsClosed_evenIfTheCountersCannotBeClosed() throws IOException {
        AtomicBoolean isClosed = new AtomicBoolean();
        Application application = Application.start(
                new AbstractModule() {
                    @Override
                    protected void configure() {
                        bind(AutoCloseable.class).toInstance(() -> isClosed.set(true));
                        bind(CounterBackend.class).toInstance(new ForwardingCounterBackend(InMemoryBackend.create()) {
                            @Override
                            public void close() {
                                throw new IllegalStateException("the backend is broken");
                            }
                        });
                    }
                },
                "a fake",
                0);

        assertThatThrownBy(application::close).hasMessage("the backend is broken");
        assertThat(isClosed).isTrue();
    }
}
