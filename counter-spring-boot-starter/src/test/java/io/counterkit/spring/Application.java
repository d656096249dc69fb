package io.counterkit.spring;

import java.nio.file.Path;
import java.util.UUID;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** An application with everything on the class path that Spring Boot configures by itself. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Application {
    /** Runs the application with a data source of SQLite. */
    static ApplicationContextRunner on(Path directory) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("spring.datasource.url=jdbc:sqlite:" + directory.resolve("shop.db"));
    }

    /** Runs the application with its counters in that data source. */
    static ApplicationContextRunner countingOn(Path directory) {
        return on(directory).withPropertyValues("counterkit.backend=jdbc", "counterkit.jdbc.create-tables=true");
    }

    static String randomName() {
        return "posts/" + UUID.randomUUID() + "/likes";
    }
}
