package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.ParsedJson;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command on Firestore's emulator, which the first one starts. */
@Tag("exhaustive")
class FirestoreCommandsTest {
    private final String project = "demo-" + UUID.randomUUID();

    @BeforeAll
    static void requireEmulator() {
        Prerequisite.required(FirestoreEmulator::shared);
    }

    @Test
    void counters_areChangedAndRead() {
        assertThat(ok("add likes")).isEqualTo("added 1 to 'likes'\n");
        assertThat(ok("add likes 5 --token order-17")).startsWith("added 5 to 'likes', once in total");
        assertThat(ok("add likes 5 --token order-17")).startsWith("added 5 to 'likes', once in total");
        assertThat(ok("add posts/42/likes -3")).isEqualTo("added -3 to 'posts/42/likes'\n");

        assertThat(ok("get likes")).isEqualTo("6\n");
        assertThat(ok("get likes posts/42/likes --max-staleness 1m").lines())
                .hasSize(2)
                .last()
                .asString()
                .containsPattern("-3 +at most .* old +posts/42/likes");
        assertThat(ok("list").lines()).containsExactlyInAnyOrder("likes", "posts/42/likes");
        assertThat(ok("list --prefix posts/")).isEqualTo("posts/42/likes\n");
        assertThat(ok("resolve order-17")).isEqualTo("applied: add of 5 to 'likes'\n");
        assertThat(ok("reset likes")).isEqualTo("reset 'likes'\n");
        assertThat(ok("get likes")).isEqualTo("0\n");
        assertThat(ok("delete likes")).isEqualTo("deleted 'likes'\n");
        assertThat(ok("list")).isEqualTo("posts/42/likes\n");
    }

    @Test
    void counters_areWatched() {
        ok("add likes 5");

        CommandRun run = CommandRun.untilItPrints(words("watch likes --every 100ms --for 1m"));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.outLines()).singleElement().asString().containsPattern(" 5  at most .* old");
    }

    @Test
    void counters_areSealed() {
        ok("add likes 5");
        assertThat(ok("seal likes --forward elsewhere"))
                .isEqualTo("sealed 'likes' at 5: it continues at 'elsewhere'\n");
        assertThat(run("add likes").exitCode()).isEqualTo(1);
        assertThat(ok("get likes")).isEqualTo("5\n");
        assertThat(ok("describe likes")).contains("  total        5\n  sealed       it continues at 'elsewhere'\n");
    }

    @Test
    void check_saysThatAnEmulatorShowsNothing() {
        assertThat(ok("check").lines())
                .contains("unseen   the TTL policy for 'expires' of 'counter_tokens'")
                .contains("unseen   index exemptions of 'entries'")
                .contains("         gcloud firestore fields ttls list --collection-group=counter_tokens --project="
                        + project + " --database='(default)'")
                .filteredOn(line -> line.contains("an emulator ignores it"))
                .hasSize(8);
        assertThat(ParsedJson.object(ok("check --json")).get("complete")).isEqualTo(true);
    }

    @Test
    void check_ofABackendThatNeedsNothing_isRefused() {
        CommandRun run = CommandRun.of("check", "--backend", "inmemory");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("backend 'inmemory' has nothing to check: use --backend firestore");
    }

    @Test
    void sequences_areAppendedToReadAndSealed() {
        assertThat(ok("next invoices")).isEqualTo("1\n");
        assertThat(ok("append invoices customer=c-17 total:=1999 at:=2026-01-31T09:30:00Z --token t"))
                .isEqualTo("2\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("append invoices --subject o-1 --change added photo:=base64:AQID"))
                .isEqualTo("3\n");

        List<String> entries = ok("entries invoices --from 2").lines().toList();
        assertThat(entries).hasSize(2);
        assertThat(entries.get(0)).startsWith("2  ").endsWith("  at:=2026-01-31T09:30:00Z customer=c-17 total:=1999");
        assertThat(entries.get(1)).endsWith("  added o-1  photo:=base64:AQID");
        assertThat(ok("list --sequences")).isEqualTo("invoices\n");
        assertThat(ok("resolve t")).isEqualTo("applied: entry 2 of 'invoices'\n");
        assertThat(ok("erase invoices 2")).isEqualTo("erased the fields of entry 2 of 'invoices'\n");
        assertThat(ok("entries invoices --last 2")).contains("(erased)");
        assertThat(ok("seal invoices --sequence --forward elsewhere"))
                .isEqualTo("sealed 'invoices' at 3: it continues at 'elsewhere'\n");
        CommandRun sealed = run("next invoices");
        assertThat(sealed.exitCode()).isEqualTo(1);
        assertThat(sealed.errLines())
                .containsExactly("counter: 'invoices' was sealed at 3 and continues at 'elsewhere'");
        assertThat(ok("describe invoices")).contains("last number  3", "live count   3", "it continues at 'elsewhere'");
    }

    @Test
    void resolve_ofAnUnknownToken_preventsItsUse() {
        assertThat(run("resolve t").exitCode()).isEqualTo(1);
        assertThat(run("add likes --token t").exitCode()).isEqualTo(1);
        assertThat(ok("get likes")).isEqualTo("0\n");
    }

    @Test
    void describe_showsTheShards() throws Exception {
        ok("add likes 7 --shards 3");
        Firestore client = FirestoreEmulator.shared().connect(project);
        client.document("counters/likes/shards/x")
                .set(Map.of("count", "nine\n"))
                .get();
        client.close();

        assertThat(ok("describe likes").lines())
                .startsWith("counter 'likes'", "  total        7", "  shards       3 in use, 4 there")
                .contains("  wrong        1 shard without a whole number, which the total does not include")
                .anyMatch(line -> line.matches(" +[012] +7 +100\\.0 %"))
                .anyMatch(line -> line.matches(" +[012] +0 +0\\.0 %"))
                .anyMatch(line -> line.matches(" +x +\"nine\\\\n\" +wrong"))
                .endsWith("sequence 'likes'", "  last number  0", "  live count   0");
        assertThat(ParsedJson.object(ok("describe likes --json")).get("counter"))
                .asString()
                .contains("total=7", "shardCount=3", "id=x", "wrong=\"nine");
    }

    @Test
    void reshard_changesTheNumberOfShards_andDescribeAdvises() {
        ok("add likes 7 --shards 3");

        assertThat(ok("reshard likes 25")).isEqualTo("'likes' has 25 shards\n");
        assertThat(ok("describe likes"))
                .contains("  shards       25 in use, 25 there\n")
                .containsPattern("  advice       \\d+ shards?: \\w");
        assertThat(ParsedJson.object(ok("reshard likes 2 --json")))
                .isEqualTo(Map.of("outcome", "applied", "counter", "likes", "shards", 2L));
        assertThat(ok("describe likes")).contains("  shards       2 in use, 25 there\n");
        assertThat(ParsedJson.object(ok("describe likes --json")).get("counter"))
                .asString()
                .contains("advice={", "reason=", "writesLately=");
        assertThat(ok("get likes")).isEqualTo("7\n");

        CommandRun absent = run("reshard nothing 5");
        assertThat(absent.exitCode()).isEqualTo(1);
        assertThat(absent.err()).contains("there is no such counter");
        CommandRun none = run("reshard likes 1001");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("shard count 1001: use 1 to 1000");
    }

    /** Ages of zero are left out: a process may sum up a counter while it lists it. */
    @Test
    void top_isTheLargestFirst() {
        ok("add a/1 3");
        ok("add a/2 5");
        ok("add b 9");

        assertThat(ok("top a/").lines().map(String::strip))
                .satisfiesExactly(
                        line -> assertThat(line).matches("5  (at most .* old  )?a/2"),
                        line -> assertThat(line).matches("3  (at most .* old  )?a/1"));
        assertThat(ParsedJson.object(ok("top -n 1 --json")).get("counters"))
                .asString()
                .contains("name=b", "total=9", "stalenessSeconds=");
    }

    @Test
    void json_isTheSameAsInMemory() {
        assertThat(ParsedJson.object(ok("add likes 7 --json")))
                .isEqualTo(Map.of("outcome", "applied", "counter", "likes", "delta", 7L));
        assertThat(ParsedJson.object(ok("get likes --json")).get("counters"))
                .asString()
                .contains("total=7");
        assertThat(ParsedJson.object(ok("append s a:=1.5 --json"))).containsEntry("fields", Map.of("a", 1.5));
    }

    @Test
    void ingest_isExact() {
        String input = IntStream.range(0, 300).mapToObj(i -> "n" + i % 7 + "\n").reduce("", String::concat);

        CommandRun run = CommandRun.withInput(input, words("ingest"));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsPattern("300 adds to 7 names, \\d+\\.\\d adds a commit")
                .contains("exact: 7 of 7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.1"})
    void soak_isExact(String faults) {
        CommandRun run =
                run("soak --operations 250 --workers 4 --counters 5 --sequences 2 --seed 7 --faults " + faults);

        assertThat(run.out()).as(run.err()).endsWith("exact: 7 of 7\n");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern(faults.equals("0") ? "\n0 faults" : "\n[1-9]\\d* faults");
    }

    @Test
    void layout_canBeChosen() {
        ok("add likes 2 --collection a/b/c --shard-collection s --count-field n --shard-count-field m --shards 3"
                + " --token-collection t");
        ok("next likes --sequence-collection q");

        assertThat(ok("get likes")).isEqualTo("0\n");
        assertThat(ok("get likes --collection a/b/c --shard-collection s --count-field n"))
                .isEqualTo("2\n");
        assertThat(ok("list --sequences")).isEmpty();
        assertThat(ok("list --sequences --sequence-collection q")).isEqualTo("likes\n");
    }

    @Test
    void otherDatabase_hasCountersOfItsOwn() {
        ok("add likes 2 --database other");

        assertThat(ok("get likes")).isEqualTo("0\n");
        assertThat(ok("get likes --database other")).isEqualTo("2\n");
    }

    @Test
    void emulator_canBeNamedByItsAddress() {
        ok("add likes 2");
        String address = FirestoreEmulator.shared().hostAndPort();

        assertThat(run("get", "--backend", "firestore", "--emulator", address, "likes", "--project", project)
                        .out())
                .isEqualTo("2\n");
        assertThat(run("get", "--backend", "firestore", "--emulator=" + address, "likes", "--project", project)
                        .out())
                .isEqualTo("2\n");
        assertThat(run("get", "--backend", "firestore", "likes", "--emulator", "--project", project)
                        .out())
                .isEqualTo("2\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--collection=a/b",
                "--shards=0",
                "--count-field=a.b",
                "--token-collection=counters",
                "--emulator=localhost",
                "--emulator=localhost:http",
                "--emulator=localhost:99999",
                "localhost",
                "127.0.0.1"
            })
    void optionThatMakesNoSense_isAMistakeOfTheUser(String option) {
        CommandRun run = run("get", "likes", "--backend", "firestore", "--emulator", option);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: ")
                .endsWith("(see counter get --help)");
    }

    private String ok(String command) {
        CommandRun run = run(command);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run.out();
    }

    private CommandRun run(String command) {
        return CommandRun.of(words(command));
    }

    private static CommandRun run(String... args) {
        return CommandRun.of(args);
    }

    private String[] words(String command) {
        return Stream.concat(
                        Stream.of(command.split(" ")),
                        Stream.of("--backend", "firestore", "--emulator", "--project", project))
                .toArray(String[]::new);
    }
}
