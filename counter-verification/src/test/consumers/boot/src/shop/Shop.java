package shop;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.micrometer.MicrometerCountersListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Counts in memory, or on Firestore's emulator if there is an argument, which is its address. */
@SpringBootApplication
public class Shop {
    public static void main(String[] arguments) {
        System.exit(SpringApplication.exit(SpringApplication.run(Shop.class, arguments)));
    }

    @Bean
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }

    @Bean
    @Lazy
    Firestore firestore(ApplicationArguments arguments) {
        return FirestoreOptions.newBuilder()
                .setProjectId("demo-shop")
                .setEmulatorHost(arguments.getSourceArgs()[0])
                .setCredentials(new FirestoreOptions.EmulatorCredentials())
                .build()
                .getService();
    }

    @Bean
    Counters counters(
            MeterRegistry meters,
            ApplicationArguments arguments,
            ObjectProvider<Firestore> firestore) {
        CountersOptions options = CountersOptions.builder()
                .listener(MicrometerCountersListener.create(meters, Tags.empty()))
                .build();
        return arguments.getSourceArgs().length == 0
                ? Counters.over(InMemoryBackend.create(), options)
                : Counters.over(FirestoreCounterBackend.create(firestore.getObject()), options);
    }

    @Bean
    CommandLineRunner count(Counters counters, MeterRegistry meters) {
        return arguments -> {
            String name = "orders/" + UUID.randomUUID();
            counters.counter(name).add(3);
            System.out.println("counted " + counters.counter(name).get() + " with meters: "
                    + !meters.getMeters().isEmpty());
        };
    }
}
