package io.counterkit.tck.internal.fault;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.internal.fault.Reads.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The reads of the SPI that a migration makes, for runs with faults. */
final class MigrationReads {
    private MigrationReads() {}

    /** Returns the plural of a kind, for messages. */
    static String noun(Kind kind) {
        return kind == Kind.COUNTER ? "counters" : "sequences";
    }

    static List<Operation<Read>> all() {
        List<Operation<Read>> all = new ArrayList<>();
        for (Capability capability : List.of(Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES, Capability.IMPORT)) {
            for (Kind kind : Kind.values()) {
                all.add(read("a read of the states of " + noun(kind), "MigrationStore.states", capability, stage -> {
                    List<String> names = List.of(
                            kind == Kind.COUNTER
                                    ? stage.counter(5)
                                    : Reads.sequence(stage).name(),
                            stage.name());
                    return (store, commit) -> store.states(kind, names, commit);
                }));
            }
            all.add(read("a read of a subject", "MigrationStore.subject", capability, stage -> {
                String name = Reads.sequence(stage).name();
                return (store, commit) -> store.subject(name, "live", commit);
            }));
        }
        all.add(read(
                "a read of what was added after a seal", "MigrationStore.lateAdds", Capability.SEAL_COUNTERS, stage -> {
                    List<String> names = List.of(stage.counter(5), stage.name());
                    stage.observing().counter(names.get(0)).seal("elsewhere");
                    return (store, commit) -> store.lateAdds(names, commit);
                }));
        for (Kind kind : Kind.values()) {
            all.add(read(
                    "a read of the imported states of " + noun(kind),
                    "MigrationStore.bases",
                    Capability.IMPORT,
                    stage -> {
                        List<String> names = List.of(stage.name(), stage.name());
                        stage.observingBackend()
                                .migration()
                                .importBase(
                                        kind,
                                        names.get(0),
                                        new ImportedState("elsewhere", true, 3, kind == Kind.COUNTER ? 0 : 40),
                                        stage.commit())
                                .join();
                        return (store, commit) -> store.bases(kind, names, commit);
                    }));
        }
        return all;
    }

    private static Operation<Read> read(
            String label,
            String covers,
            Capability needs,
            Function<Stage, BiFunction<MigrationStore, Commit, CompletableFuture<?>>> prepare) {
        return Reads.read(label, covers, Set.of(needs), stage -> {
            BiFunction<MigrationStore, Commit, CompletableFuture<?>> read = prepare.apply(stage);
            Object right = read.apply(stage.observingBackend().migration(), stage.commit())
                    .join();
            return Reads.of(() -> read.apply(stage.actingBackend().migration(), stage.actingCommit()), right);
        });
    }
}
