package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Resolution;
import io.counterkit.datastore.fixture.StoreTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stored format, entity by entity: listings are checked in and stay readable. A version that writes another format
 * adds a listing.
 */
class CheckedInFormatTest extends StoreTest {

    @Test
    void storedEntitiesEqualTheListing() throws IOException {
        scenario().write();

        List<String> stored = StoredListing.of(datastore);
        Files.write(Path.of("target", StoredScenario.LISTING), stored); // for comparison, or to check in
        assertThat(StoredListing.lasting(stored))
                .isEqualTo(StoredListing.lasting(StoredScenario.checkedIn(StoredScenario.LISTING)));
    }

    @Test
    void tokensSeenByAPurgeEqualTheListing() throws IOException {
        counters().counter("likes").add(5, StoredScenario.ADD);
        assertThat(purgingAt(Instant.now().plus(Duration.ofDays(2))).purgeTokens(500))
                .isOne();

        List<String> stored = StoredListing.of(datastore);
        Files.write(Path.of("target", StoredScenario.AFTER_A_PURGE), stored);
        assertThat(StoredListing.lasting(stored))
                .isEqualTo(StoredListing.lasting(StoredScenario.checkedIn(StoredScenario.AFTER_A_PURGE)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tokensThatAPurgeHasSeenAreReadAndRemoved(boolean hasPropertiesOfALaterVersion) throws IOException {
        put(StoredScenario.checkedIn(StoredScenario.AFTER_A_PURGE), hasPropertiesOfALaterVersion);
        assertThat(counters().resolve(StoredScenario.ADD)).isEqualTo(new Resolution.Added("likes", 5));
        DatastoreSequenceBackend later = purgingAt(Instant.parse("2100-01-01T00:00:00Z"));
        assertThat(later.purgeTokens(500)).isOne();
        assertThat(count("CounterKitToken")).isZero();
    }

    private static DatastoreSequenceBackend purgingAt(Instant moment) {
        return DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().clock(() -> moment).build());
    }

    /** The listed entities may be those of an earlier or a later version. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void listedEntitiesAreReadAndContinued(boolean hasPropertiesOfALaterVersion) throws IOException {
        put(StoredScenario.checkedIn(StoredScenario.LISTING), hasPropertiesOfALaterVersion);
        scenario().assertIsReadAndContinued();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void listedImportsAreReadAndContinued(boolean hasPropertiesOfALaterVersion) throws IOException {
        put(StoredScenario.checkedIn(StoredScenario.LISTING), hasPropertiesOfALaterVersion);
        scenario().assertImportsAreReadAndContinued();
    }

    private void put(List<String> listing, boolean hasPropertiesOfALaterVersion) {
        for (Entity entity : StoredListing.entities(listing)) {
            if (hasPropertiesOfALaterVersion) {
                entity.setUnindexedProperty("ofALaterVersion", "and unknown here");
            }
            datastore.put(null, entity);
        }
    }

    private static StoredScenario scenario() {
        DatastoreSequenceBackend backend = backend();
        return new StoredScenario(
                backend,
                () -> backend.transact(StoredScenario.TRANSACTION, transaction -> {
                    transaction.append("orders", Map.of());
                    transaction.add("likes", 1);
                }));
    }
}
