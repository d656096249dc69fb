package io.counterkit.inmemory.internal.store;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget;
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

/** The change that each token was used for, kept for the retention. The first use of a token wins. Thread-safe. */
public final class TokenTable {
    private final ConcurrentMap<IdempotencyToken, Resolution> resolutions = new ConcurrentHashMap<>();
    private final Queue<Expiry> expiries = new ConcurrentLinkedQueue<>();
    private final InstantSource clock;
    private final Duration retention;
    private final boolean isDirect;

    /**
     * Creates an empty table.
     *
     * @param isDirect whether each commit is answered before its call returns, so that a token that was not made until
     *     then cannot be resolved
     */
    public TokenTable(InstantSource clock, Duration retention, boolean isDirect) {
        this.clock = clock;
        this.retention = retention;
        this.isDirect = isDirect;
    }

    /** Returns the token under which one of the appends with the token of a commit is remembered. */
    static IdempotencyToken ofRequest(IdempotencyToken commitToken, int request) {
        return IdempotencyToken.of(commitToken.value() + "." + request);
    }

    /** Returns whether the token of a commit can be resolved later; if not, it need not be remembered. */
    boolean isResolvable(Commit commit) {
        return !isDirect || commit.isTokenMade();
    }

    /** Returns the change that the token was used for. If there is none, prevents any change with the token. */
    public Resolution resolve(IdempotencyToken token, @Nullable ChangeTarget target) {
        return claim(
                target != null && target.isAppend() ? ofRequest(token, target.request()) : token,
                Resolution.NotApplied::new);
    }

    /**
     * Returns the change that the token was used for. If there is none, applies {@code change} and remembers its
     * result, as one atomic step. If the change throws, nothing is remembered.
     */
    public Resolution claim(IdempotencyToken token, Supplier<Resolution> change) {
        removeExpired();
        return resolutions.computeIfAbsent(token, unused -> {
            Resolution resolution = change.get();
            expiries.add(new Expiry(token, clock.instant().plus(retention)));
            return resolution;
        });
    }

    /**
     * Applies a change of {@code name} once under the token of its commit.
     *
     * @throws NotAppliedException if the token was resolved as not applied
     */
    void applyOnce(Commit commit, String name, Runnable change) {
        if (!isResolvable(commit)) {
            change.run();
            return;
        }
        Resolution resolution = claim(commit.token(), () -> {
            change.run();
            return new Resolution.Done(name);
        });
        if (!resolution.applied()) {
            throw new NotAppliedException("token " + commit.token() + " was resolved as not applied");
        }
    }

    public int size() {
        removeExpired();
        return resolutions.size();
    }

    private void removeExpired() {
        Instant now = clock.instant();
        if (!isExpired(expiries.peek(), now)) {
            return;
        }
        synchronized (expiries) { // so that a token leaves the queue only after it is forgotten
            for (Expiry oldest = expiries.peek(); isExpired(oldest, now); oldest = expiries.peek()) {
                resolutions.remove(oldest.token());
                expiries.remove();
            }
        }
    }

    private static boolean isExpired(@Nullable Expiry expiry, Instant now) {
        return expiry != null && expiry.at().isBefore(now);
    }

    private record Expiry(IdempotencyToken token, Instant at) {}
}
