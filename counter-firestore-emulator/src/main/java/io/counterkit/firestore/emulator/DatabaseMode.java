package io.counterkit.firestore.emulator;

/** What kind of database an emulator plays. */
public enum DatabaseMode {
    /** Documents and collections. */
    FIRESTORE_NATIVE("firestore-native"),
    /** Kinds and entities, for clients of Datastore. */
    DATASTORE_MODE("datastore-mode");

    private final String flag;

    DatabaseMode(String flag) {
        this.flag = flag;
    }

    /** As the emulator's command line wants it. */
    String flag() {
        return flag;
    }
}
