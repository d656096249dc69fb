package io.counterkit.examples.shop;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Likes of posts, and orders under numbers without a gap. */
@RestController
class Posts {
    private final Counters counters;
    private final Counter visits;
    private final Sequence orders;

    Posts(Counters counters, @Qualifier("visits") Counter visits, @Qualifier("orders") Sequence orders) {
        this.counters = counters;
        this.visits = visits;
        this.orders = orders;
    }

    /** A browser that repeats the request with the same header is counted once. */
    @PostMapping("/posts/{post}/likes")
    long like(@PathVariable String post, @RequestHeader("Idempotency-Key") String click) {
        Counter likes = counters.counter("posts/" + post + "/likes");
        likes.add(1, IdempotencyToken.of(click));
        return likes.get();
    }

    @GetMapping("/posts/{post}/likes")
    long likes(@PathVariable String post) {
        visits.increment();
        return counters.counter("posts/" + post + "/likes").get();
    }

    @PostMapping("/orders")
    long order(@RequestParam String customer) {
        return orders.append(Map.of("customer", customer)).number();
    }
}
