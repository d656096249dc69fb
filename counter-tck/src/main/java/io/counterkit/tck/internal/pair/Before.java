package io.counterkit.tck.internal.pair;

import io.counterkit.Change;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The state of a name before the operations of a trial. */
enum Before {
    NOTHING("an unused name"),
    CONTENT("a name in use"),
    IMPORT("an imported name");

    private final String label;

    Before(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }

    /** Returns whether an operation is possible for names in this state. */
    boolean allows(PairedOperation operation, Set<Capability> capabilities) {
        return this == IMPORT ? capabilities.contains(Capability.IMPORT) : !operation.isOfImported();
    }

    /** Brings the name of a scene into this state. */
    void prepare(CounterBackend process, Scene scene) {
        boolean isCounter = scene.kind() == Kind.COUNTER;
        switch (this) {
            case NOTHING -> {}
            case IMPORT ->
                process.migration()
                        .importBase(
                                scene.kind(),
                                scene.name(),
                                new ImportedState("origin", true, 2, isCounter ? 0 : 3),
                                scene.commit())
                        .join();
            case CONTENT -> {
                if (isCounter) {
                    process.counters()
                            .add(List.of(new AddRequest(scene.name(), 5, null)), scene.commit())
                            .join();
                } else {
                    append(process, scene, new AppendRequest(Change.ADDED, "s", Map.of("secret", "x"), null));
                    append(process, scene, new AppendRequest(Change.ADDED, null, Map.of("secret", "y"), null));
                }
            }
        }
    }

    private static void append(CounterBackend process, Scene scene, AppendRequest request) {
        process.sequences()
                .append(scene.name(), List.of(request), scene.commit())
                .join();
    }
}
