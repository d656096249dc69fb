package io.counterkit.spring.autoconfigure;

import io.counterkit.spi.Reasons;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Thrown if the configuration of an application is invalid. States the problem and the remedy. */
@SuppressWarnings("serial") // thrown in the process that starts
final class ConfigurationException extends RuntimeException {
    private final String action;

    ConfigurationException(String description, String action) {
        this(description, action, null);
    }

    ConfigurationException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** Sets an option to the value of a property, and names the property if the value is refused. */
    static <T> void set(String property, T value, Consumer<T> option) {
        try {
            option.accept(value);
        } catch (IllegalArgumentException e) {
            throw of(property, e);
        }
    }

    /** Returns the exception for a property whose value is refused. */
    static ConfigurationException of(String property, IllegalArgumentException e) {
        return new ConfigurationException(
                property + " cannot be used: " + Reasons.of(e) + ".", "Correct the value of " + property + ".", e);
    }

    /** Returns the remedy. */
    String action() {
        return action;
    }
}
