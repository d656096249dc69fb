package io.counterkit.firestore.internal.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Firestore;
import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.DeploymentReport;
import io.counterkit.firestore.DeploymentReport.Finding;
import io.counterkit.firestore.DeploymentReport.State;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the check as a database would answer that has indexes on every field, as the emulator has, and one that refuses
 * queries. What the service itself answers is not tested.
 */
class DeploymentCheckTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Firestore firestore = fixture.client();
    private final String tokens = "tokens-" + UUID.randomUUID();
    private final FirestoreSchema schema = new FirestoreSchema(
            firestore, FirestoreCounterOptions.builder().tokenCollection(tokens).build(), InstantSource.system());

    @AfterEach
    void close() {
        schema.client().close();
        fixture.close();
    }

    private DeploymentReport check() {
        Call call = new Call(Duration.ofSeconds(60), CountersListener.disabled());
        return new DeploymentCheck(schema, call).run().join();
    }

    /** Refuses the query that no database has an index for, as the second call. */
    private void refuseQueriesWithoutIndex() {
        fixture.inject(StoreFault.FAIL_BEFORE, 2, Status.Code.FAILED_PRECONDITION);
    }

    private void storeToken(Duration age) {
        Timestamp expires = Timestamp.ofTimeSecondsAndNanos(Timestamp.now().getSeconds() - age.toSeconds(), 0);
        TestStore.await(
                firestore.collection(tokens).document("zz" + UUID.randomUUID()).set(Map.of("expires", expires)));
    }

    @Test
    void indexOnEveryField_isReportedAsMissingExemptions() {
        storeToken(Duration.ofDays(1));
        refuseQueriesWithoutIndex();
        DeploymentReport report = check();
        assertThat(report.missing()).hasSize(6).allSatisfy(finding -> {
            assertThat(finding.what()).startsWith("index exemptions of '");
            assertThat(finding.effect()).contains("index entries");
            assertThat(finding.commands())
                    .isNotEmpty()
                    .allSatisfy(command -> assertThat(command)
                            .startsWith("gcloud firestore indexes fields update ")
                            .contains(" --disable-indexes --project=" + fixture.project()));
        });
        assertThat(report.missing().get(0).what())
                .isEqualTo("index exemptions of '" + tokens
                        + "': expires, token, place, kind, name, delta, numbers, change, subject");
        Finding policy = report.findings().get(0);
        assertThat(policy.state()).isEqualTo(State.UNSEEN);
        assertThat(policy.effect()).contains("none of 1 tokens has expired");
        assertThat(report.findings())
                .filteredOn(finding -> finding.state() == State.PRESENT)
                .hasSize(2);
    }

    @Test
    void tokenThatIsLongExpired_showsThatThereIsNoPolicy() {
        storeToken(Duration.ofDays(1));
        storeToken(Duration.ofDays(4));
        refuseQueriesWithoutIndex();
        Finding policy = check().findings().get(0);
        assertThat(policy.state()).isEqualTo(State.MISSING);
        assertThat(policy.what()).isEqualTo("the TTL policy for 'expires' of '" + tokens + "'");
        assertThat(policy.effect()).contains("tokens are never deleted", "1 of 2 tokens");
        assertThat(policy.commands())
                .containsExactly("gcloud firestore fields ttls update expires --collection-group=" + tokens
                        + " --enable-ttl --project=" + fixture.project() + " --database='(default)'");
    }

    @Test
    void refusedQueries_areExemptFields_andMissingIndexesOfTotals() {
        refuseQueriesWithoutIndex();
        for (int call = 4; call <= 34; call++) { // after a document, that query, and the tokens
            fixture.inject(StoreFault.FAIL_BEFORE, call, Status.Code.FAILED_PRECONDITION);
        }
        DeploymentReport report = check();
        assertThat(report.missing())
                .extracting(Finding::what)
                .containsExactly(
                        "the index of 'count' of 'shards', which Firestore keeps unless it is exempt",
                        "the index of 'total' of 'counters'");
        assertThat(report.findings())
                .filteredOn(finding -> finding.state() == State.PRESENT)
                .hasSize(6);
    }

    @Test
    void databaseThatRefusesEverything_isAnError_notAFinding() {
        fixture.inject(StoreFault.FAIL_BEFORE, 1, Status.Code.FAILED_PRECONDITION);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> check())
                .withCauseInstanceOf(NotAppliedException.class)
                .withMessageContaining("checking the database");
        refuseQueriesWithoutIndex();
        fixture.inject(StoreFault.FAIL_BEFORE, 5, Status.Code.PERMISSION_DENIED);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> check())
                .withMessageContaining("PERMISSION_DENIED");
    }

    @Test
    void emulator_showsNothing() {
        assertThat(check().findings())
                .hasSize(8)
                .allSatisfy(finding -> assertThat(finding.state()).isEqualTo(State.UNSEEN))
                .allSatisfy(finding -> assertThat(finding.effect()).endsWith("an emulator ignores it"));
        assertThat(check().missing()).isEmpty();
    }

    @Test
    void exemptions_areThoseOfTheFileThatShips() throws IOException {
        FirestoreSchema stamping = new FirestoreSchema(
                firestore,
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.STAMP)
                        .build(),
                InstantSource.system());
        List<String> checked = Exemption.all(stamping).stream()
                .flatMap(exemption -> exemption.fields().stream().map(field -> exemption.group() + " " + field))
                .toList();
        try (InputStream stream =
                Objects.requireNonNull(FirestoreCounterBackend.class.getResourceAsStream("firestore.indexes.json"))) {
            JsonArray file = JsonParser.parseString(new String(stream.readAllBytes(), UTF_8))
                    .getAsJsonObject()
                    .getAsJsonArray("fieldOverrides");
            TreeSet<String> shipped = new TreeSet<>();
            file.forEach(override -> shipped.add(
                    override.getAsJsonObject().get("collectionGroup").getAsString() + " "
                            + override.getAsJsonObject().get("fieldPath").getAsString()));
            assertThat(checked).containsExactlyInAnyOrderElementsOf(shipped);
        }
        stamping.client().close();
    }
}
