package io.counterkit.verification.broken;

import io.counterkit.spi.CounterBackend;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.util.concurrent.Executor;

/** Runs calls on another thread, as a remote store does, so that requests wait and are combined. */
final class Posted {
    private Posted() {}

    static CounterBackend on(Executor executor, CounterBackend backend) {
        return Intercepted.of(backend, call -> Futures.done(true).thenComposeAsync(go -> call.pass(), executor));
    }
}
