package io.counterkit.examples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. It keeps its counts in the file of {@code spring.datasource.url}. */
@SpringBootApplication
public class Shop {
    /** Starts the application; see {@code application.properties}. */
    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }
}
