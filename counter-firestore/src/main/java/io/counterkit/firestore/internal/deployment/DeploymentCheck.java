package io.counterkit.firestore.internal.deployment;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.AggregateField;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import io.counterkit.firestore.DeploymentReport;
import io.counterkit.firestore.DeploymentReport.Finding;
import io.counterkit.firestore.DeploymentReport.State;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the deployment with queries, since an application's client may read documents but not the settings of the
 * database. Firestore refuses a query that sorts by an exempt field, and one that lacks an index. A TTL policy shows
 * only by its effect: no token has been expired for long. An emulator and the Enterprise edition refuse no query, so
 * queries show nothing there.
 */
public final class DeploymentCheck {
    /** Firestore deletes documents typically within a day after they expire. */
    private static final Duration LATE = Duration.ofDays(3);

    private static final int TOKENS = 100;
    private static final int MOST_QUERIES = 10;
    private static final String POLICY_EFFECT =
            "tokens are never deleted: about 300 bytes for each change remain stored";
    private static final String LARGEST_EFFECT = "top under a prefix that is kept fresh fails; nothing else needs it";

    private final FirestoreSchema schema;
    private final Gcloud gcloud;
    private final Call call;

    public DeploymentCheck(FirestoreSchema schema, Call call) {
        this.schema = schema;
        this.gcloud = new Gcloud(schema.firestore().getOptions());
        this.call = call;
    }

    public CompletableFuture<DeploymentReport> run() {
        // Reads a document first: a query that is refused for another reason must not look like a missing index.
        return FirestoreErrors.orNotRead(
                "checking the database",
                schema.client()
                        .read(call, schema.counter(Exemption.NAME)::get)
                        .thenCompose(answered -> isRefused(withoutIndex()::get))
                        .thenCompose(this::findings)
                        .thenApply(DeploymentReport::new));
    }

    /** Returns a query that needs an index of two fields, which no database has. */
    private Query withoutIndex() {
        return schema.counters()
                .select(FieldPath.documentId())
                .orderBy(Exemption.NAME.replace('-', '_'))
                .orderBy(Exemption.NAME.replace('-', '_') + "_2")
                .limit(1);
    }

    private CompletableFuture<List<Finding>> findings(boolean needsIndexes) {
        if (!needsIndexes) {
            return unseen();
        }
        List<Supplier<CompletableFuture<Finding>>> checks = new ArrayList<>();
        checks.add(this::timeToLive);
        Exemption.all(schema).forEach(exemption -> checks.add(() -> exemption(exemption)));
        if (!schema.layout().hasFlatShards()) { // those are in collections of any name
            checks.add(this::sums);
        }
        checks.add(this::largest);
        return Futures.inGroups(checks, 1, Supplier::get);
    }

    private CompletableFuture<List<Finding>> unseen() {
        boolean isEmulator = schema.isEmulator();
        String why = isEmulator
                ? "an emulator ignores it"
                : "this database answers queries without an index, as the Enterprise edition does, so they do not show"
                        + " it";
        List<Finding> unseen = new ArrayList<>();
        Exemption.all(schema)
                .forEach(exemption -> unseen.add(unseen(
                        exemption.what(), exemption.effect() + "; " + why, gcloud.listFields(exemption.group()))));
        unseen.add(unseen(largestWhat(), LARGEST_EFFECT + "; " + why, gcloud.firestore("indexes composite list")));
        if (isEmulator) {
            unseen.add(0, unseen(policyWhat(), POLICY_EFFECT + "; " + why, listPolicies()));
            return CompletableFuture.completedFuture(unseen);
        }
        return timeToLive().thenApply(policy -> {
            unseen.add(0, policy);
            return unseen;
        });
    }

    private String policyWhat() {
        return "the TTL policy for '" + TokenDocument.EXPIRES + "' of '" + tokens().getId() + "'";
    }

    private String listPolicies() {
        return gcloud.firestore("fields ttls list --collection-group=" + tokens().getId());
    }

    private CollectionReference tokens() {
        return schema.firestore().collection(schema.layout().tokenCollection());
    }

    private CompletableFuture<Finding> timeToLive() {
        return schema.client().read(call, someTokens()::get).thenApply(tokens -> {
            long late = tokens.getDocuments().stream()
                    .filter(token -> isLate(token.get(TokenDocument.EXPIRES), tokens.getReadTime()))
                    .count();
            return late > 0
                    ? new Finding(
                            State.MISSING,
                            policyWhat(),
                            POLICY_EFFECT + "; " + late + " of " + tokens.size() + " tokens have expired "
                                    + LATE.toDays() + " days ago or more",
                            List.of(gcloud.firestore("fields ttls update " + TokenDocument.EXPIRES
                                    + " --collection-group=" + tokens().getId() + " --enable-ttl")))
                    : unseen(
                            policyWhat(),
                            POLICY_EFFECT + "; reads show policies only by their effect, and none of " + tokens.size()
                                    + " tokens has expired " + LATE.toDays() + " days ago",
                            listPolicies());
        });
    }

    /** Returns a query for token documents that starts at random: their ids are evenly spread. */
    private Query someTokens() {
        String from = Character.toString('A' + ThreadLocalRandom.current().nextInt(26));
        return tokens().select(TokenDocument.EXPIRES)
                .orderBy(FieldPath.documentId())
                .startAt(from)
                .limit(TOKENS);
    }

    private static boolean isLate(@Nullable Object expires, Timestamp now) {
        Instant latest = StoreClock.toInstant(now).minus(LATE);
        return expires instanceof Timestamp at && StoreClock.toInstant(at).isBefore(latest);
    }

    private CompletableFuture<Finding> exemption(Exemption exemption) {
        return Futures.inGroups(
                        exemption.fields(),
                        MOST_QUERIES,
                        field -> isRefused(exemption
                                        .collection()
                                        .select(FieldPath.documentId())
                                        .orderBy(field)
                                        .limit(1)::get)
                                .thenApply(isExempt -> isExempt ? Stream.<String>empty() : Stream.of(field)))
                .thenApply(found -> {
                    List<String> indexed =
                            found.stream().flatMap(fields -> fields).toList();
                    return indexed.isEmpty()
                            ? present(exemption.what())
                            : new Finding(
                                    State.MISSING,
                                    exemption.what() + ": " + String.join(", ", indexed),
                                    exemption.effect(),
                                    indexed.stream()
                                            .map(field -> gcloud.firestore("indexes fields update " + field
                                                    + " --collection-group=" + exemption.group()
                                                    + " --disable-indexes"))
                                            .toList());
                });
    }

    private CompletableFuture<Finding> sums() {
        String field = schema.layout().countField();
        String group = schema.layout().shardCollection();
        String what = "the index of '" + field + "' of '" + group + "', which Firestore keeps unless it is exempt";
        return isRefused(schema.shards(Exemption.NAME).aggregate(AggregateField.sum(field))::get)
                .thenApply(isRefused -> isRefused
                        ? new Finding(
                                State.MISSING,
                                what,
                                "no total can be read",
                                List.of(gcloud.firestore("indexes fields update " + field + " --collection-group="
                                        + group + " --clear-exemption")))
                        : present(what));
    }

    private String largestWhat() {
        return "the index of '" + schema.layout().totalField() + "' of '"
                + schema.counters().getId() + "'";
    }

    private CompletableFuture<Finding> largest() {
        String total = schema.layout().totalField();
        Query query = schema.counters()
                .select(FieldPath.documentId())
                .whereLessThanOrEqualTo(total, Limits.MAX_TOTAL)
                .orderBy(total, Query.Direction.DESCENDING)
                .orderBy(FieldPath.documentId())
                .limit(1);
        return isRefused(query::get)
                .thenApply(isRefused -> isRefused
                        ? new Finding(
                                State.MISSING,
                                largestWhat(),
                                LARGEST_EFFECT,
                                List.of(gcloud.firestore("indexes composite create --collection-group="
                                        + schema.counters().getId()
                                        + " --field-config=field-path=" + total + ",order=descending"
                                        + " --field-config=field-path=__name__,order=ascending")))
                        : present(largestWhat()));
    }

    /** Sends a query, and returns whether Firestore refuses it because an index is missing. */
    private <T> CompletableFuture<Boolean> isRefused(Supplier<ApiFuture<T>> query) {
        return schema.client()
                .read(call, query)
                .thenApply(answer -> false)
                .exceptionallyCompose(failure -> FirestoreErrors.lacksIndex(failure)
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.failedFuture(Futures.unwrap(failure)));
    }

    private static Finding present(String what) {
        return new Finding(State.PRESENT, what, "", List.of());
    }

    private static Finding unseen(String what, String effect, String command) {
        return new Finding(State.UNSEEN, what, "without it, " + effect, List.of(command));
    }
}
