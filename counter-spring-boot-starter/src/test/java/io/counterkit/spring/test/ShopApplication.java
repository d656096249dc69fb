package io.counterkit.spring.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of a user. */
@SpringBootApplication
class ShopApplication {}
