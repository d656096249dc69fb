package io.counterkit.cli.google;

import io.counterkit.spi.Reasons;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a store refused the first call. That call reads before anything is changed, so that a wrong project or
 * a broken network causes a clear error and no unknown outcome.
 *
 * @param product the name of the store
 * @param emulator the address of the emulator; null for a real project
 */
record Refusals(
        String product,
        String project,
        String database,
        @Nullable String emulator) {
    /** How long the first call may take. */
    static final int LONGEST_SECONDS = 10;

    /**
     * Returns the exception for the user.
     *
     * @param code the name of Google's code for the error
     */
    IllegalArgumentException of(String code, Throwable cause) {
        String reason = Reasons.inOneLine(cause);
        return because(advice(code, reason) + " (" + reason + ")", cause);
    }

    /** Returns the exception for the user. */
    IllegalArgumentException because(String advice, Throwable cause) {
        String where =
                emulator == null ? "project '" + project + "', database '" + database + "'" : "emulator " + emulator;
        return new IllegalArgumentException(where + ": " + advice, cause);
    }

    private String advice(String code, String reason) {
        return switch (code) {
            case "PERMISSION_DENIED" ->
                "these credentials may not use it, or there is no such project: check --project, and that the"
                        + " account has the role roles/datastore.user";
            case "NOT_FOUND" -> "there is no such database: check --project and --database";
            case "UNAUTHENTICATED" ->
                "the credentials are not accepted: run \"gcloud auth application-default login\" again";
            case "UNAVAILABLE", "DEADLINE_EXCEEDED" ->
                emulator == null
                        ? product + " cannot be reached: is the network up?"
                        : "no " + product + " emulator answers there: is it running, and is the address right?";
            case "UNIMPLEMENTED" ->
                "the server there is not a " + product + ": is the address that of another emulator?";
            default -> isOfOtherMode(reason) ? otherMode() : product + " refused the call";
        };
    }

    /** Returns whether the reason is a database of the other mode: the service then names a mode, or its own API. */
    private static boolean isOfOtherMode(String reason) {
        String text = reason.toLowerCase(Locale.ROOT);
        return text.contains("datastore mode")
                || text.contains("native mode")
                || text.contains("database mode")
                || text.contains("api is not available for");
    }

    private String otherMode() {
        return product.equals("Firestore")
                ? "the database is in Datastore mode: use --backend datastore, or another --database"
                : "the database is in Firestore's native mode: use --backend firestore, or another --database";
    }
}
