package io.counterkit.spring.autoconfigure;

import java.util.Locale;
import org.springframework.util.ClassUtils;

/** The backends that {@code counterkit.backend} can name. */
enum BackendName {
    /** Tables in PostgreSQL or in a SQLite file, with the application's data source. */
    JDBC("io.counterkit.jdbc.JdbcCounterBackend", "counter-jdbc"),
    /** Google Cloud Firestore. */
    FIRESTORE("io.counterkit.firestore.FirestoreCounterBackend", "counter-firestore"),
    /** Google Cloud Datastore, or Firestore in Datastore mode. */
    DATASTORE("io.counterkit.datastore.cloud.DatastoreCounterBackend", "counter-datastore"),
    /** The memory of this process. The counters are lost when it ends. */
    INMEMORY("io.counterkit.inmemory.InMemoryBackend", "counter-inmemory");

    private final String type;
    private final String artifact;

    BackendName(String type, String artifact) {
        this.type = type;
        this.artifact = artifact;
    }

    boolean isOnClassPath(ClassLoader loader) {
        return ClassUtils.isPresent(type, loader);
    }

    /** Returns the dependency that contains this backend. */
    String dependency() {
        return "io.counterkit:" + artifact;
    }

    /** Returns the value of the property. */
    String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
