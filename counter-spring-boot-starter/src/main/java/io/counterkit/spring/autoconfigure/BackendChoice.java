package io.counterkit.spring.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The backend of an application: the one that {@code counterkit.backend} names, or else the only one on the class path.
 * Any other backend takes precedence over the one in memory.
 *
 * @param named the backend that the property names, or null
 * @param present the backends on the class path
 */
record BackendChoice(@Nullable BackendName named, List<BackendName> present) {
    private static final String PROPERTY = "counterkit.backend";

    static BackendChoice of(Environment environment, ClassLoader loader) {
        BackendName named =
                Binder.get(environment).bind(PROPERTY, BackendName.class).orElse(null);
        return new BackendChoice(
                named,
                Arrays.stream(BackendName.values())
                        .filter(name -> name.isOnClassPath(loader))
                        .toList());
    }

    /** Returns the chosen backend, or null if there is none or more than one. */
    @Nullable BackendName chosen() {
        if (named != null) {
            return present.contains(named) ? named : null;
        }
        List<BackendName> candidates = candidates();
        return candidates.size() == 1 ? candidates.get(0) : null;
    }

    private List<BackendName> candidates() {
        List<BackendName> durable =
                present.stream().filter(name -> name != BackendName.INMEMORY).toList();
        return durable.isEmpty() ? present : durable;
    }

    /** Returns the exception that states why no backend is chosen, and the remedy. */
    ConfigurationException failure() {
        if (named != null) {
            return new ConfigurationException(
                    PROPERTY + " is '" + named.value() + "', and " + named.dependency() + " is not on the class path.",
                    "Add the dependency " + named.dependency()
                            + (present.isEmpty()
                                    ? "."
                                    : ", or set " + PROPERTY + " to " + values(present, " or ") + "."));
        }
        if (present.isEmpty()) {
            return new ConfigurationException(
                    "The counters have no store: no backend of CounterKit is on the class path.",
                    "Add one of these dependencies: "
                            + Arrays.stream(BackendName.values())
                                    .map(BackendName::dependency)
                                    .collect(Collectors.joining(", "))
                            + ".");
        }
        return new ConfigurationException(
                "The counters have " + candidates().size() + " possible stores: the backends "
                        + values(candidates(), " and ") + " are on the class path.",
                "Set " + PROPERTY + " to " + values(candidates(), " or ")
                        + ", or remove the dependencies on the others.");
    }

    private static String values(List<BackendName> names, String conjunction) {
        return names.stream().map(BackendName::value).collect(Collectors.joining(conjunction));
    }
}
