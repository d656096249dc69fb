package io.counterkit.firestore.internal.deployment;

import com.google.cloud.firestore.FirestoreOptions;

/** Commands of Google's command line for one database, for an operator to paste into a shell. */
record Gcloud(FirestoreOptions options) {
    /** Returns a command of {@code gcloud firestore}. */
    String firestore(String command) {
        // A shell would interpret the parentheses of "(default)".
        return "gcloud firestore " + command + " --project=" + options.getProjectId() + " --database='"
                + options.getDatabaseId() + "'";
    }

    /** Returns the command that shows which fields of a collection group are exempt. */
    String listFields(String group) {
        return firestore("indexes fields list --collection-group=" + group);
    }
}
