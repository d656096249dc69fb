package io.counterkit.cli.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.Firestore;
import io.counterkit.cli.google.Refusals;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads a document before anything is changed. Costs one read. */
final class FirstContact {
    private FirstContact() {}

    /**
     * Returns once Firestore has answered.
     *
     * @throws IllegalArgumentException if it does not answer, or refuses; the message is for the user
     */
    static void with(Firestore client, String collection) {
        Refusals refusals = new Refusals(
                "Firestore",
                client.getOptions().getProjectId(),
                client.getOptions().getDatabaseId(),
                null);
        try {
            client.collection(collection)
                    .document("counterkit-first-contact")
                    .get()
                    .get(Refusals.LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            StatusCode.Code code =
                    cause instanceof ApiException api ? api.getStatusCode().getCode() : StatusCode.Code.UNKNOWN;
            throw refusals.of(code.name(), cause);
        } catch (TimeoutException e) {
            throw refusals.timedOut(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusals.because("interrupted before Firestore answered", e);
        }
    }
}
