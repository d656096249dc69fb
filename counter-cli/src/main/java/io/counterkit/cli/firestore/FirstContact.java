package io.counterkit.cli.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.Firestore;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads a document before anything is changed, so that a wrong project or a broken network is a clear error, and not an
 * unknown outcome. Costs one read.
 */
final class FirstContact {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private FirstContact() {}

    /**
     * Returns once Firestore has answered.
     *
     * @throws NotAppliedException if it does not answer, or refuses; the message is for the user
     */
    static void with(Firestore client, String collection) {
        try {
            client.collection(collection)
                    .document("counterkit-first-contact")
                    .get()
                    .get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new NotAppliedException(problem(client, cause), cause);
        } catch (TimeoutException e) {
            throw new NotAppliedException(
                    where(client) + ": Firestore did not answer within " + LONGEST.toSeconds()
                            + " s: is the network up?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotAppliedException(where(client) + ": interrupted before Firestore answered", e);
        }
    }

    private static String problem(Firestore client, Throwable cause) {
        StatusCode.Code code =
                cause instanceof ApiException e ? e.getStatusCode().getCode() : StatusCode.Code.UNKNOWN;
        String advice = switch (code) {
            case PERMISSION_DENIED ->
                "these credentials may not use it, or there is no such project: check --project, and that the"
                        + " account has the role roles/datastore.user";
            case NOT_FOUND -> "there is no such database: check --project and --database";
            case UNAUTHENTICATED ->
                "the credentials are not accepted: run \"gcloud auth application-default login\" again";
            case UNAVAILABLE, DEADLINE_EXCEEDED -> "Firestore cannot be reached: is the network up?";
            default -> "Firestore refuses";
        };
        return where(client) + ": " + advice + " (" + reason(cause) + ")";
    }

    /** Returns the reason, without the names of classes that the client adds. */
    private static String reason(Throwable cause) {
        return Reasons.of(cause).replaceAll("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*: ", "");
    }

    private static String where(Firestore client) {
        return "project '" + client.getOptions().getProjectId() + "', database '"
                + client.getOptions().getDatabaseId() + "'";
    }
}
