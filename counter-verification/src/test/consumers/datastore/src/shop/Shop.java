package shop;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.Counters;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import java.util.UUID;

/** Counts on the emulators of the Datastore and of Firestore; the arguments are their addresses. */
public final class Shop {
    private Shop() {}

    private static void count(String store, Counters counters) {
        String name = "orders/" + UUID.randomUUID();
        counters.counter(name).add(3);
        System.out.println(store + " counted " + counters.counter(name).get() + ", then number "
                + counters.sequence(name).next());
    }

    public static void main(String[] arguments) throws Exception {
        Datastore datastore = DatastoreOptions.newBuilder()
                .setProjectId("demo-shop")
                .setHost("http://" + arguments[0])
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
        try (Counters counters = Counters.over(DatastoreCounterBackend.create(datastore))) {
            count("Datastore", counters);
        }
        try (Firestore firestore = FirestoreOptions.newBuilder()
                        .setProjectId("demo-shop")
                        .setEmulatorHost(arguments[1])
                        .setCredentials(new FirestoreOptions.EmulatorCredentials())
                        .build()
                        .getService();
                Counters counters = Counters.over(FirestoreCounterBackend.create(firestore))) {
            count("Firestore", counters);
        }
    }
}
