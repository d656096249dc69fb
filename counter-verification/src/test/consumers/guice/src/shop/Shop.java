package shop;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.counterkit.Counters;
import io.counterkit.firestore.guice.FirestoreCounterModule;
import java.util.UUID;

/** Counts on Firestore's emulator; the argument is its address. */
public final class Shop extends AbstractModule {
    private final String emulator;

    private Shop(String emulator) {
        this.emulator = emulator;
    }

    @Provides
    @Singleton
    Firestore firestore() {
        return FirestoreOptions.newBuilder()
                .setProjectId("demo-shop")
                .setEmulatorHost(emulator)
                .setCredentials(new FirestoreOptions.EmulatorCredentials())
                .build()
                .getService();
    }

    public static void main(String[] arguments) throws Exception {
        Injector injector = Guice.createInjector(new FirestoreCounterModule(), new Shop(arguments[0]));
        String name = "orders/" + UUID.randomUUID();
        try (Firestore firestore = injector.getInstance(Firestore.class);
                Counters counters = injector.getInstance(Counters.class)) {
            counters.counter(name).add(3);
            System.out.println("counted " + counters.counter(name).get());
        }
    }
}
