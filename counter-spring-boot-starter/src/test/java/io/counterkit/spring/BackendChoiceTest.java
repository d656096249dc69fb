package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.jdbc.JdbcCounterBackend;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.FilteredClassLoader;

/** Without a property, the class path chooses the backend. */
class BackendChoiceTest {
    @TempDir
    private Path directory;

    @Test
    void onlyDurableBackendIsChosen() {
        Application.on(directory)
                .withPropertyValues("counterkit.jdbc.create-tables=true")
                .withClassLoader(new FilteredClassLoader(FirestoreCounterBackend.class, DatastoreCounterBackend.class))
                .run(context -> assertThat(context).hasSingleBean(JdbcCounterBackend.class));
    }

    @Test
    void backendInMemoryIsChosenIfItIsTheOnlyOne() {
        Application.on(directory)
                .withClassLoader(new FilteredClassLoader(
                        FirestoreCounterBackend.class, DatastoreCounterBackend.class, JdbcCounterBackend.class))
                .run(context ->
                        assertThat(context).hasSingleBean(InMemoryBackend.class).hasSingleBean(Counters.class));
    }

    @Test
    void propertyGoesBeforeTheClassPath() {
        Application.on(directory)
                .withPropertyValues("counterkit.backend=inmemory")
                .run(context -> assertThat(context).hasSingleBean(InMemoryBackend.class));
    }
}
