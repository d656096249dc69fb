package io.counterkit.samples.h2;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counters and sequences in an H2 database. Thread-safe. */
public final class H2Backend implements CounterBackend {
    private static final Duration RETENTION = Duration.ofHours(24);

    private final Database database;

    private H2Backend(Database database) {
        this.database = database;
    }

    /** Creates a backend over a database, and its tables unless they exist. */
    public static H2Backend create(DataSource source) {
        return create(source, Wire.DIRECT);
    }

    /** Creates a backend whose calls to the database go through {@code wire}; the wire of a test makes some fail. */
    static H2Backend create(DataSource source, Wire wire) {
        return new H2Backend(Database.open(source, wire));
    }

    // docs: capabilities
    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }
    // docs: end

    @Override
    public CounterStore counters() {
        return new H2Counters(database);
    }

    @Override
    public SequenceStore sequences() {
        return new H2Sequences(database);
    }

    // docs: resolve
    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        IdempotencyToken stored =
                target != null && target.isAppend() ? Tokens.ofRequest(token, target.request()) : token;
        return database.repeatable("resolving token " + token, call, connection -> {
            Resolution known = Tokens.find(connection, stored);
            if (known != null) {
                return known;
            }
            Resolution decided = new Resolution.NotApplied();
            Tokens.insert(connection, stored, decided);
            return decided;
        });
    }
    // docs: end

    @Override
    public Duration retention() {
        return RETENTION;
    }

    // docs: purge
    /** Deletes tokens older than the retention, with a margin for clocks that differ. Run it once a day. */
    public CompletableFuture<Integer> purgeTokens(Call call) {
        Instant oldest = Instant.now().minus(RETENTION).minus(Duration.ofHours(1));
        return database.repeatable("purging tokens", call, connection -> Tokens.purge(connection, oldest));
    }
    // docs: end

    @Override
    public void close() {
        database.close();
    }
}
