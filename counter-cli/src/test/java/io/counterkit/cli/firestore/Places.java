package io.counterkit.cli.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;
import org.sqlite.SQLiteDataSource;

/** The stores between which the tests of this package move names. */
final class Places {
    private Places() {}

    static CounterBackend inFirestore(Firestore firestore) {
        return FirestoreCounterBackend.create(firestore);
    }

    /** The same database, in other collections. */
    static CounterBackend inOtherCollections(Firestore firestore) {
        return FirestoreCounterBackend.create(
                firestore,
                FirestoreCounterOptions.builder()
                        .counterCollection("counters_2")
                        .sequenceCollection("sequences_2")
                        .build());
    }

    static CounterBackend inSqlite(Path directory) {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
        return JdbcCounterBackend.create(
                file, JdbcCounterOptions.builder().createTables(true).build());
    }
}
