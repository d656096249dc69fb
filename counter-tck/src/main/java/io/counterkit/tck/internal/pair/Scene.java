package io.counterkit.tck.internal.pair;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import java.util.function.Supplier;

/**
 * Where two operations meet.
 *
 * @param name a counter or a sequence
 * @param token a token that either operation may use
 */
record Scene(Kind kind, String name, IdempotencyToken token, Supplier<Commit> commits) {
    Commit commit() {
        return commits.get();
    }

    /** Returns a text without what differs between two scenes. */
    String neutral(String text) {
        return text.replace(name, "NAME").replace(token.value(), "TOKEN");
    }
}
