package io.counterkit.verification.broken.flaw;

import io.counterkit.spi.Listening;

/**
 * Reports that are always live.
 *
 * @param end what closing them does
 */
public record LiveListening(Runnable end) implements Listening {
    @Override
    public boolean isLive() {
        return true;
    }

    @Override
    public void close() {
        end.run();
    }
}
