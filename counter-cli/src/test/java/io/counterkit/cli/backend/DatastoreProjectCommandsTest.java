package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.Entity;
import io.counterkit.Counters;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.Emulators;
import io.counterkit.cli.ParsedJson;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command on a Datastore of a project, in its emulator. */
@Tag("exhaustive")
class DatastoreProjectCommandsTest extends StoreCommands {
    private final String project = "demo-" + UUID.randomUUID();

    @Override
    Stream<String> backend() {
        return Stream.of("--backend", "datastore", "--emulator", Emulators.datastore(), "--project", project);
    }

    @Test
    void sealedName_printsItsForwardAddress_andWhatTheStoreLacksIsRefused() {
        ok("next invoices");
        assertThat(ok("seal invoices --sequence --forward elsewhere")).startsWith("sealed 'invoices' at 1");
        CommandRun sealed = run("next invoices");
        assertThat(sealed.exitCode()).isEqualTo(1);
        assertThat(sealed.err()).contains("continues at 'elsewhere'");
        assertThat(ok("describe invoices")).contains("it continues at 'elsewhere'");
        assertThat(run("reshard invoices 5").exitCode()).isEqualTo(2);
        assertThat(run("top").err()).contains("cannot list the largest counters");
    }

    @Test
    void ingest_isExact() {
        String input = IntStream.range(0, 60).mapToObj(i -> "n" + i % 3 + "\n").reduce("", String::concat);
        assertThat(CommandRun.withInput(input, words("ingest")).out()).contains("exact: 3 of 3");
    }

    /** The application's client reads the same. The emulator's queries find what is in other databases too. */
    @Test
    void namespacesAndDatabases_areApart() {
        ok("add likes 2 --namespace shop");
        assertThat(ok("get likes")).isEqualTo("0\n");
        assertThat(ok("get likes --namespace shop")).isEqualTo("2\n");
        ok("add views 3 --database other");
        Datastore other = Emulators.datastore(project).getOptions().toBuilder()
                .setDatabaseId("other")
                .build()
                .getService();
        try (Counters counters = Counters.over(DatastoreCounterBackend.create(other))) {
            assertThat(counters.counter("views").get()).isEqualTo(3);
        }
    }

    /** The emulator ends with the command. */
    @Test
    void emulatorWithoutAnAddress_isStarted() {
        CommandRun run = CommandRun.of("add", "likes", "--backend", "datastore", "--emulator");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("added 1 to 'likes'\n");
    }

    private void records(long... numbers) {
        Datastore datastore = Emulators.datastore(project);
        int i = 0;
        for (long number : numbers) {
            datastore.put(
                    Entity.newBuilder(datastore.newKeyFactory().setKind("Order").newKey("o" + ++i))
                            .set("id", number)
                            .set("customer", "c-" + i)
                            .build());
        }
    }

    @Test
    void recordsAreAdopted() {
        records(LongStream.rangeClosed(1, 30).toArray());

        assertThat(ok("adopt orders --kind Order --number id --dry-run"))
                .isEqualTo("30 records of kind 'Order', numbered 1 to 30, each once\nnothing was changed\n");
        assertThat(ok("list --sequences")).isEmpty();

        assertThat(ok("adopt orders --kind Order --number id --key-field key"))
                .isEqualTo("30 records of kind 'Order', numbered 1 to 30, each once\nadopted as sequence 'orders'\n");
        assertThat(ok("entries orders --from 7 --to 7")).endsWith("customer=c-7 key:=\"Order(\\\"o7\\\")\"\n");
        assertThat(ok("next orders")).isEqualTo("31\n");
    }

    @Test
    void recordsWithGaps_areReportedAndNothingIsChanged() {
        records(1, 2, 5, 6, 6, 8, -1);
        for (String option : new String[] {"", " --dry-run"}) {
            CommandRun run = run("adopt orders --kind Order --number id" + option);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.out()).isEqualTo("""
                            7 records of kind 'Order', numbered up to 8
                              no record has number 3 to 4
                              no record has number 7
                              several records have number 6
                              Order("o7"): 'id' holds -1, which is not a whole number of 1 or more
                            nothing was changed
                            """);
        }
        assertThat(ParsedJson.object(
                        run("adopt orders --kind Order --number id --json").out()))
                .containsEntry("adopted", false)
                .containsEntry("duplicates", List.of(6L))
                .containsEntry("gaps", List.of(Map.of("from", 3L, "to", 4L), Map.of("from", 7L, "to", 7L)));
        CommandRun none = run("adopt orders --kind Ordr --number id");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.out())
                .isEqualTo("no record of kind 'Ordr' has an indexed property 'id'\nnothing was changed\n");
        assertThat(ok("list --sequences")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --emulator=a:1 --namespace=a%b | namespace 'a%b': use up to 100 letters
                    --emulator=localhost      | emulator "localhost": use host:port
                    --emulator localhost      | emulator "localhost": use host:port
                    --emulator=a:99999        | emulator "a:99999": use host:port with a port up to 65535
                    --emulator=a:1 --data=dir | --data dir is a Datastore in a directory, which has no --project
                    --data=d --database=x     | --data d is a Datastore in a directory, which has no --project
                    --file=x                  | --file is an option of backend 'sqlite', not of 'datastore'
                    """)
    void optionThatMakesNoSense_isAMistakeOfTheUser(String options, String problem) {
        CommandRun run = CommandRun.of(("get likes --backend datastore " + options).split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: " + problem);
    }

    @Test
    void projectWithABackendThatHasNone_namesThoseThatHaveOne() {
        assertThat(CommandRun.of("get", "likes", "--backend", "sqlite", "--project", "p")
                        .errLines())
                .containsExactly(
                        "counter: --project is an option of backend 'datastore' or 'firestore', not of 'sqlite':"
                                + " add --backend datastore or firestore, or omit it (see counter get --help)");
        assertThat(CommandRun.of("adopt", "a", "--kind", "b", "--number", "c").errLines())
                .singleElement()
                .asString()
                .startsWith("counter: backend 'inmemory' has no records to adopt: use --backend datastore");
    }
}
