package io.counterkit.firestore.emulator;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if there is no emulator or it does not answer. The message states what was tried and what to install or
 * change.
 */
public final class EmulatorUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmulatorUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
