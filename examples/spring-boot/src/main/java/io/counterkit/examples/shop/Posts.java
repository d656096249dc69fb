package io.counterkit.examples.shop;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** The likes of posts. */
// docs: likes
@RestController
class Posts {
    private final Counters counters;
    private final Counter visits;

    Posts(Counters counters, @Qualifier("visits") Counter visits) {
        this.counters = counters;
        this.visits = visits;
    }

    /** Counts once, even if the browser sends the request again with the same header. */
    @PostMapping("/posts/{post}/likes")
    long like(@PathVariable("post") String post, @RequestHeader("Idempotency-Key") String click) {
        Counter likes = counters.counter("posts/" + post + "/likes");
        likes.add(1, IdempotencyToken.of(click));
        return likes.get();
    }

    @GetMapping("/posts/{post}/likes")
    long likes(@PathVariable("post") String post) {
        visits.increment();
        return counters.counter("posts/" + post + "/likes").get();
    }
}
// docs: end
