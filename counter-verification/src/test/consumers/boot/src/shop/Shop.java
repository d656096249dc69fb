package shop;

import io.counterkit.Counters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.UUID;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Counts on the backend that the arguments configure: Firestore, unless they choose the one in memory. */
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
    CommandLineRunner count(Counters counters, MeterRegistry meters) {
        return arguments -> {
            String name = "orders/" + UUID.randomUUID();
            counters.counter(name).add(3);
            System.out.println("counted " + counters.counter(name).get() + " with meters: "
                    + (meters.get("counterkit.requests").tag("kind", "add").counter().count() == 1));
        };
    }
}
