package io.counterkit.cli.google;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.UserDirectories;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counters on a Datastore: that of a Google Cloud project, an emulator, or App Engine's local one in a directory. */
@Command(name = "datastore", header = "on a Google Cloud Datastore, its emulator, or a local directory")
public final class DatastoreBackendFactory implements BackendFactory {
    @Option(names = "--data", paramLabel = "DIR")
    private @Nullable String data;

    @Option(names = "--namespace", paramLabel = "NAME")
    private String namespace = "";

    @Mixin
    private GoogleOptions google = new GoogleOptions(System.getenv("DATASTORE_EMULATOR_HOST"));

    /** A Datastore in a directory has no project. */
    @Override
    public boolean takes(String option, Predicate<String> isGiven) {
        return !(GoogleOptions.NAMES.contains(option) && isGiven.test("data"));
    }

    @Override
    public boolean keeps() {
        return !google.isInNewEmulator();
    }

    @Override
    public boolean isDurable() {
        return google.areGiven() && keeps();
    }

    @Override
    public OpenBackend open(Opening opening) {
        if (!google.areGiven()) {
            return LocalDirectory.open(
                    data == null ? UserDirectories.ofProcess().data().resolve("datastore") : FileNames.path(data),
                    data == null,
                    namespace,
                    opening);
        }
        Arguments.check(
                data == null,
                "--data " + data + " is a Datastore in a directory, which has no --project, --database or --emulator:"
                        + " omit --data, or the others");
        return RemoteDatastore.open(google, namespace);
    }
}
