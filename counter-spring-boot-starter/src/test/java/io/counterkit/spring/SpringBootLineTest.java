package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** The build runs all tests of this module twice: with the jars of either line of Spring Boot. */
class SpringBootLineTest {
    @Test
    void classPathHasTheStatedLine() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("counterkit.spring-boot"));
    }
}
