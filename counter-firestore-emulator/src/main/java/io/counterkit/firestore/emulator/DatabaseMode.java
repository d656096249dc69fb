package io.counterkit.firestore.emulator;

/** The kind of database that an emulator provides. */
public enum DatabaseMode {
    /** Documents and collections. */
    FIRESTORE_NATIVE("firestore-native"),
    /** Kinds and entities, for clients of Datastore. */
    DATASTORE_MODE("datastore-mode");

    private final String flag;

    DatabaseMode(String flag) {
        this.flag = flag;
    }

    /** Returns the name of the mode, as the emulator's option {@code --database-mode} expects it. */
    public String flag() {
        return flag;
    }
}
