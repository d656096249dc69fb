package io.counterkit.spring.test;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** The part of the application that counts. */
@Component
class Likes {
    private final Counters counters;

    Likes(Counters counters) {
        this.counters = counters;
    }

    void like(String post, IdempotencyToken click) {
        try {
            counters.counter(post).add(1, click);
        } catch (OutcomeUnknownException e) {
            counters.settle(e.token(), Duration.ofSeconds(5));
        }
    }
}
