package io.counterkit.inmemory;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What each token stands for, for the retention. Whoever comes first with a token decides. */
final class TokenTable {
    private final ConcurrentMap<IdempotencyToken, Resolution> decided = new ConcurrentHashMap<>();
    private final Queue<Expiry> expiries = new ConcurrentLinkedQueue<>();
    private final InstantSource clock;
    private final Duration retention;

    TokenTable(InstantSource clock, Duration retention) {
        this.clock = clock;
        this.retention = retention;
    }

    /** What is remembered for one of the appends that share the token of a commit: each can be decided by itself. */
    static IdempotencyToken ofRequest(IdempotencyToken commitToken, int request) {
        return IdempotencyToken.of(commitToken.value() + "." + request);
    }

    /**
     * Carries out {@code change} and remembers what it says, unless the token stands for something already; as one step
     * for everybody who comes with the same token. A change that throws is not remembered.
     */
    Claim claim(IdempotencyToken token, Supplier<Resolution> change) {
        purge();
        boolean[] first = {false};
        Resolution resolution = decided.computeIfAbsent(token, unseen -> {
            first[0] = true;
            return change.get();
        });
        if (first[0]) {
            expiries.add(new Expiry(token, clock.instant().plus(retention)));
        }
        return new Claim(resolution, first[0]);
    }

    /**
     * Carries out a change of {@code name} under the token of its commit, unless that was resolved as not applied
     * meanwhile.
     *
     * @param unasked whether nobody will ask for the token, so that it need not be remembered
     */
    void carryOut(Commit commit, String name, boolean unasked, Runnable change) {
        if (unasked) {
            change.run();
            return;
        }
        Resolution decided = claim(commit.token(), () -> {
                    change.run();
                    return new Resolution.Done(name);
                })
                .resolution();
        if (!decided.applied()) {
            throw new NotAppliedException("token " + commit.token() + " was resolved as not applied");
        }
    }

    int size() {
        purge();
        return decided.size();
    }

    private void purge() {
        Instant now = clock.instant();
        if (!isExpired(expiries.peek(), now)) {
            return;
        }
        synchronized (expiries) { // so that the oldest stays the oldest until it is forgotten
            for (Expiry oldest = expiries.peek(); isExpired(oldest, now); oldest = expiries.peek()) {
                decided.remove(oldest.token());
                expiries.remove();
            }
        }
    }

    private static boolean isExpired(@Nullable Expiry expiry, Instant now) {
        return expiry != null && expiry.at().isBefore(now);
    }

    /**
     * What a token stands for.
     *
     * @param first whether this claim decided it
     */
    record Claim(Resolution resolution, boolean first) {}

    private record Expiry(IdempotencyToken token, Instant at) {}
}
