package io.counterkit.datastore.internal.schema;

import io.counterkit.datastore.internal.store.StoreEntity;
import org.jspecify.annotations.Nullable;

/** The stored form of a subject of a sequence. */
public final class SubjectFormat {
    private static final String SEQUENCE = "sequence";
    private static final String SUBJECT = "subject";
    private static final String LIVE = "live";

    private SubjectFormat() {}

    /** Creates the entity of a subject. */
    public static StoreEntity entity(DatastoreKeys keys, String sequence, String subject, boolean isLive) {
        StoreEntity entity = new StoreEntity(keys.subject(sequence, subject));
        entity.set(SEQUENCE, sequence);
        entity.set(SUBJECT, subject);
        entity.set(LIVE, isLive);
        return entity;
    }

    /** Returns whether a subject is live; one that is not stored is not. */
    public static boolean isLive(@Nullable StoreEntity subject) {
        return subject != null && new EntityReader("subject", subject).flag(LIVE);
    }
}
