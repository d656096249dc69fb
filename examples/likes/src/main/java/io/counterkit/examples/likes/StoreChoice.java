package io.counterkit.examples.likes;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.inject.AbstractModule;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.util.Modules;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.datastore.local.guice.LocalDatastoreCounterModule;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.guice.FirestoreCounterModule;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.guice.InMemoryCounterModule;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.jdbc.guice.JdbcCounterModule;
import io.counterkit.spi.BatchLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteDataSource;
import picocli.CommandLine.TypeConversionException;

/** The store of the likes and orders. Stores differ only in the module that is installed. */
enum StoreChoice {
    /** A SQLite file. */
    SQLITE("SQLite"),
    /** Forgotten when the program ends. */
    INMEMORY("in memory"),
    /** A local Datastore in a directory. */
    DATASTORE("local Datastore"),
    /** A Firestore emulator, or a project. */
    FIRESTORE("Firestore");

    private static final JdbcCounterOptions TABLES =
            JdbcCounterOptions.builder().createTables(true).build();

    private final String title;

    StoreChoice(String title) {
        this.title = title;
    }

    /** Returns the name that the page shows. */
    String title() {
        return title;
    }

    /** Returns the value of {@code --backend}. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads the value of {@code --backend}.
     *
     * @throws TypeConversionException if there is no such store
     */
    static StoreChoice parse(String option) {
        return Arrays.stream(values())
                .filter(choice -> choice.option().equalsIgnoreCase(option))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException("'" + option + "': use sqlite, inmemory, datastore or firestore"));
    }

    /**
     * Returns the module that binds {@link io.counterkit.Counters} to this store.
     *
     * @param file the SQLite file
     * @param data the directory of the local Datastore
     * @param project the Firestore project
     * @param emulator the address of a Firestore emulator; null for a real project
     */
    Module module(Path file, Path data, @Nullable String project, @Nullable String emulator) {
        return switch (this) {
            case SQLITE -> Modules.combine(new JdbcCounterModule(TABLES), sqlite(file));
            // Merges likes as a remote store does, so that the page shows it.
            case INMEMORY ->
                new InMemoryCounterModule(InMemoryOptions.builder()
                        .batches(BatchLimits.ofWeight(100))
                        .build());
            case DATASTORE ->
                Modules.combine(
                        new LocalDatastoreCounterModule(data, Durability.EACH_COMMIT), closing(LocalDatastore.class));
            case FIRESTORE ->
                Modules.combine(new FirestoreCounterModule(), firestore(project, emulator), closing(Firestore.class));
        };
    }

    /** Binds what is closed after the counters. */
    private static Module closing(Class<? extends AutoCloseable> type) {
        return binder -> binder.bind(AutoCloseable.class).to(type);
    }

    private static Module sqlite(Path file) {
        return new AbstractModule() {
            @Provides
            @Singleton
            DataSource source() throws IOException {
                Files.createDirectories(file.toAbsolutePath().getParent());
                SQLiteDataSource source = new SQLiteDataSource();
                source.setUrl("jdbc:sqlite:" + file);
                return source;
            }
        };
    }

    private static Module firestore(@Nullable String project, @Nullable String emulator) {
        return new AbstractModule() {
            @Provides
            @Singleton
            Firestore client() {
                String running = System.getenv("FIRESTORE_EMULATOR_HOST");
                String address = emulator == null ? running : emulator;
                if (address == null || (emulator == null && address.isBlank())) {
                    return realProject(project);
                }
                return (address.isEmpty() ? FirestoreEmulator.shared() : FirestoreEmulator.at(address))
                        .connect(project == null ? "demo-likes" : project);
            }
        };
    }

    private static Firestore realProject(@Nullable String project) {
        GoogleCredentials credentials;
        try {
            credentials = GoogleCredentials.getApplicationDefault();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no Google Cloud credentials: run \"gcloud auth application-default login\", or set"
                            + " GOOGLE_APPLICATION_CREDENTIALS to the file of a key, or use --emulator ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")",
                    e);
        }
        String chosen = project == null ? ServiceOptions.getDefaultProjectId() : project;
        if (chosen == null || chosen.isEmpty()) {
            throw new IllegalStateException("no Google Cloud project: name one with --project ID, or set"
                    + " GOOGLE_CLOUD_PROJECT, or use --emulator");
        }
        return FirestoreOptions.newBuilder()
                .setProjectId(chosen)
                .setCredentials(credentials)
                .build()
                .getService();
    }
}
