package io.counterkit.spring.autoconfigure;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of CounterKit.
 *
 * @param backend The store of the counters. Default: the only backend on the class path.
 * @param deadline The time that one call may take.
 * @param drainTimeout The time that a shutdown waits for pending requests.
 * @param queueLimit The maximum number of pending requests.
 * @param queueBytes The maximum size of all pending requests together.
 * @param tokenRetention How long a token is remembered.
 * @param counters The names of the counters that are beans, by their qualifiers.
 * @param sequences The names of the sequences that are beans, by their qualifiers.
 * @param jdbc The backend on PostgreSQL or SQLite.
 * @param firestore The backend on Firestore.
 * @param datastore The backend on a Datastore.
 * @param health The health indicator.
 */
@ConfigurationProperties("counterkit")
record CounterKitProperties(
        @Nullable BackendName backend,
        @DefaultValue("20s") Duration deadline,
        @DefaultValue("30s") Duration drainTimeout,
        @DefaultValue("10000") int queueLimit,
        @DefaultValue("32MB") DataSize queueBytes,
        @DefaultValue("24h") Duration tokenRetention,
        @DefaultValue Map<String, String> counters,
        @DefaultValue Map<String, String> sequences,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Firestore firestore,
        @DefaultValue Datastore datastore,
        @DefaultValue Health health) {

    /**
     * The tables of PostgreSQL or SQLite.
     *
     * @param schema The schema of PostgreSQL that has the tables. Default: the first one with the tables in the search
     *     path.
     * @param tablePrefix The prefix of the names of the tables.
     * @param createTables Whether the tables are created at the start if they are missing.
     * @param connections The maximum number of connections in use at once on PostgreSQL.
     * @param purgeInterval How often expired tokens are deleted.
     * @param notifications Whether changes on PostgreSQL notify the watches and followers of all processes.
     */
    record Jdbc(
            @Nullable String schema,
            @DefaultValue("counterkit_") String tablePrefix,
            @DefaultValue("false") boolean createTables,
            @DefaultValue("8") int connections,
            @DefaultValue("1m") Duration purgeInterval,
            @DefaultValue("false") boolean notifications) {}

    /**
     * The client of Firestore, unless the application provides its own as a bean.
     *
     * @param project The project. Default: the one of the environment.
     * @param database The database. Default: the project's default database.
     * @param emulatorHost The host and port of an emulator. Default: the live service.
     */
    record Firestore(
            @Nullable String project,
            @Nullable String database,
            @Nullable String emulatorHost) {}

    /**
     * The client of the Datastore, unless the application provides its own as a bean.
     *
     * @param project The project. Default: the one of the environment.
     * @param database The database. Default: the project's default database.
     * @param namespace The namespace of the entities. Default: the default namespace.
     * @param emulatorHost The host and port of an emulator. Default: the live service.
     */
    record Datastore(
            @Nullable String project,
            @Nullable String database,
            @Nullable String namespace,
            @Nullable String emulatorHost) {}

    /**
     * The times after which a store is slow, or down.
     *
     * @param slowAfter How long a check waits for an answer. A store that needs longer is slow.
     * @param downAfter How long a store may leave checks without an answer before it is down.
     */
    record Health(
            @DefaultValue("1s") Duration slowAfter,
            @DefaultValue("30s") Duration downAfter) {}
}
