package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import io.counterkit.cli.CommandRun;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command on the local Datastore. */
class DatastoreCommandsTest extends StoreCommands {
    @TempDir
    Path directory;

    @Override
    Stream<String> backend() {
        return Stream.of("--backend", "datastore", "--data", directory.toString());
    }

    @Test
    void recordsOfTheDirectory_areAdopted() {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.WHEN_CLOSED)) {
            datastore.backend(); // prepares this thread for App Engine's API
            for (int id = 1; id <= 3; id++) {
                Entity order = new Entity("Order", "o" + id);
                order.setProperty("id", id);
                order.setProperty("customer", "c-" + id);
                DatastoreServiceFactory.getDatastoreService().put(order);
            }
        }
        assertThat(ok("adopt orders --kind Order --number id --dry-run"))
                .isEqualTo("3 records of kind 'Order', numbered 1 to 3, each once\nnothing was changed\n");
        assertThat(ok("adopt orders --kind Order --number id"))
                .isEqualTo("3 records of kind 'Order', numbered 1 to 3, each once\nadopted as sequence 'orders'\n");
        assertThat(ok("entries orders --from 3")).endsWith("  customer=c-3\n");
        assertThat(ok("next orders")).isEqualTo("4\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"get likes", "list", "top", "entries invoices", "describe likes", "adopt o --kind O --number n"})
    void missingDirectory_isNotCreatedByReading(String command) {
        Path missing = directory.resolve("missing");

        CommandRun run = CommandRun.of(Stream.concat(
                        Stream.of(command.split(" ")),
                        Stream.of("--backend", "datastore", "--data", missing.toString()))
                .toArray(String[]::new));

        assertThat(run.err()).contains("there is no directory " + missing);
        assertThat(run.exitCode()).isEqualTo(command.startsWith("adopt") ? 2 : 0);
        assertThat(missing).doesNotExist();
    }

    @Test
    void invalidNamespace_createsNoDirectory() {
        Path missing = directory.resolve("missing");

        CommandRun run = CommandRun.of(
                "add", "likes", "--backend", "datastore", "--data", missing.toString(), "--namespace", "a%b");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("amespace 'a%b'");
        assertThat(missing).doesNotExist();
    }

    @Test
    void sealedName_printsItsForwardAddress() {
        ok("add likes 41");
        ok("append invoices customer=c-17");
        assertThat(ok("seal likes --forward firestore")).contains("'likes'", "firestore");
        assertThat(ok("seal invoices --sequence --forward firestore")).contains("'invoices'", "firestore");

        CommandRun add = run("add likes");
        assertThat(add.exitCode()).isEqualTo(1);
        assertThat(add.err()).contains("'likes' was sealed at 41 and continues at 'firestore'");
        CommandRun append = run("next invoices");
        assertThat(append.exitCode()).isEqualTo(1);
        assertThat(append.err()).contains("'invoices' was sealed at 1 and continues at 'firestore'");
        assertThat(ok("get likes")).isEqualTo("41\n");
        assertThat(ok("entries invoices").lines()).hasSize(1);
        CommandRun other = run("seal likes --forward elsewhere");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("'firestore'");
        assertThat(ok("seal likes --forward firestore")).contains("firestore");
    }
}
