package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Tail;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each command that makes one call, on one store that stays from command to command. */
class SingleCommandsTest {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));

    @ParameterizedTest
    @CsvSource({
        "add likes,1",
        "add likes 5,5",
        "add likes -5,-5",
        "add likes +7,7",
        "add likes 0,0",
        "add -- likes -2,-2"
    })
    void add_addsOnce(String command, long delta) {
        assertThat(ok(command)).isEqualTo("added " + delta + " to 'likes'\n");
        assertThat(store.dump().counters()).isEqualTo(Map.of("likes", delta));
    }

    @Test
    void add_underAToken_isAppliedOnceInAll() {
        assertThat(ok("add likes 5 --token order-17"))
                .isEqualTo("added 5 to 'likes', once in all under token 'order-17'\n");
        ok("add likes 5 --token=order-17");

        assertThat(counters.counter("likes").get()).isEqualTo(5);
    }

    @Test
    void add_underTheTokenOfAnotherChange_isRefused() {
        ok("add likes 5 --token t");

        CommandRun run = run("add", "likes", "6", "--token=t", "--json");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: ");
        assertThat(ParsedJson.object(run.out()))
                .containsEntry("outcome", "not applied")
                .containsKey("error");
        assertThat(counters.counter("likes").get()).isEqualTo(5);
    }

    @Test
    void add_ofANameThatLooksLikeAnOption_needsTwoHyphens() {
        ok("add -- --likes 2");

        assertThat(ok("get -- --likes")).isEqualTo("2\n");
    }

    @Test
    void add_withJson_printsTheChange() {
        assertThat(json("add likes -5 --token t"))
                .isEqualTo(Map.of("outcome", "applied", "counter", "likes", "delta", -5L, "token", "t"));
    }

    @Test
    void get_ofOne_isANumberAlone() {
        counters.counter("likes").add(1234567);

        assertThat(ok("get likes")).isEqualTo("1234567\n");
        assertThat(ok("get nothing")).isEqualTo("0\n");
    }

    @Test
    void get_ofSeveral_isATable() {
        counters.counter("a").add(-1);

        assertThat(ok("get a b").lines().map(String::strip)).containsExactly("-1  a", "0  b");
        assertThat(ok("get a --max-staleness 10s")).matches(" *-1  at most +\\d+ ms old  a\n");
    }

    @Test
    void get_ofMoreThanAPage_readsThemAll() {
        counters.counter("n2499").add(7);
        String names =
                String.join(" ", IntStream.range(0, 2500).mapToObj(i -> "n" + i).toList());

        assertThat(ok("get " + names).lines()).hasSize(2500).last().asString().endsWith("7  n2499");
    }

    @Test
    void get_ofOneThatCannotBeRead_showsTheOthers() {
        for (int i = 0; i < 1024; i++) {
            counters.counter("huge").add(1L << 53);
        }
        counters.counter("huge").add(1);
        counters.counter("a").add(1);

        CommandRun run = run("get", "a", "huge", "b");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.outLines().stream().map(String::strip)).containsExactly("1  a", "0  b");
        assertThat(run.errLines()).singleElement().asString().startsWith("counter: 'huge' cannot be read: ");
        assertThat(ok("reset huge")).isEqualTo("reset 'huge'\n");
        assertThat(ok("get huge")).isEqualTo("0\n");
    }

    @Test
    void get_withJson_printsTotalsAndTheirAge() {
        counters.counter("a").add(3);

        Map<?, ?> read = (Map<?, ?>) ((List<?>) json("get a").get("counters")).get(0);

        assertThat(read.get("name")).isEqualTo("a");
        assertThat(read.get("total")).isEqualTo(3L);
        assertThat(read.get("stalenessSeconds")).isEqualTo(0.0);
        assertThat(Instant.parse((String) read.get("asOf"))).isNotNull();
    }

    @Test
    void top_isTheLargestFirst() {
        counters.counter("a/1").add(3);
        counters.counter("a/2").add(5);
        counters.counter("a/3").add(3);
        counters.counter("b").add(9);

        assertThat(ok("top a/ -n 2").lines().map(String::strip))
                .satisfiesExactly(
                        line -> assertThat(line).matches("5  at most +0 ms old  a/2"),
                        line -> assertThat(line).matches("3  at most +0 ms old  a/1"));
        assertThat(ok("top").lines()).hasSize(4).first().asString().endsWith("b");
        assertThat(ok("top nothing")).isEmpty();
        Map<?, ?> first = (Map<?, ?>) ((List<?>) json("top").get("counters")).get(0);
        assertThat(first.get("name")).isEqualTo("b");
        assertThat(first.get("total")).isEqualTo(9L);
        assertThat(first.get("stalenessSeconds")).isEqualTo(0.0);
    }

    @Test
    void list_printsCountersOrSequences() {
        ok("add a/1");
        ok("add a/2");
        ok("add b");
        ok("next a/invoices");

        assertThat(ok("list").lines()).containsExactlyInAnyOrder("a/1", "a/2", "b");
        assertThat(ok("list --prefix a/").lines()).containsExactlyInAnyOrder("a/1", "a/2");
        assertThat(ok("list --sequences")).isEqualTo("a/invoices\n");
        assertThat(json("list --sequences")).isEqualTo(Map.of("names", List.of("a/invoices"), "more", false));
    }

    @Test
    void list_goesThroughAllPages() {
        IntStream.range(0, 2500).forEach(i -> counters.counter("n" + i).add(0));

        assertThat(ok("list").lines()).hasSize(2500).doesNotHaveDuplicates();
        assertThat(ok("list --limit 2500").lines()).hasSize(2500);
    }

    @Test
    void list_withALimit_saysThatThereAreMore() {
        IntStream.range(0, 3).forEach(i -> counters.counter("n" + i).add(0));

        CommandRun run = run("list", "--limit=2");

        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines()).hasSize(2);
        assertThat(run.errLines()).containsExactly("counter: there are more: raise --limit 2 to see them");
        assertThat(json("list --limit 2")).containsEntry("more", true);
    }

    @Test
    void next_printsTheNumber() {
        assertThat(ok("next invoices")).isEqualTo("1\n");
        assertThat(ok("next invoices")).isEqualTo("2\n");
        assertThat(json("next invoices")).isEqualTo(Map.of("outcome", "applied", "sequence", "invoices", "number", 3L));
    }

    @Test
    void append_storesTypedFields() {
        assertThat(ok("append invoices customer=c-17 total:=1999 paid:=false at:=2026-01-31T09:30:00Z"))
                .isEqualTo("1\n");

        assertThat(counters.sequence("invoices").read(1, 1).get(0).fields())
                .isEqualTo(Map.of(
                        "customer",
                        "c-17",
                        "total",
                        1999L,
                        "paid",
                        false,
                        "at",
                        Instant.parse("2026-01-31T09:30:00Z")));
    }

    @Test
    void append_underAToken_printsTheFirstNumberAgain() {
        assertThat(ok("append invoices a=1 --token t")).isEqualTo("1\n");
        assertThat(ok("next invoices")).isEqualTo("2\n");
        assertThat(ok("append invoices a=1 --token t")).isEqualTo("1\n");
    }

    @Test
    void append_ofRevisions_countsWhatIsLive() {
        ok("append orders total:=1 --subject o-1 --change added");
        ok("append orders --subject o-2 --change added --token t");
        ok("append orders --subject o-1 --change removed");

        assertThat(counters.sequence("orders").tail()).isEqualTo(new Tail(3, 1, null));
        assertThat(run("append", "orders", "--subject=o-1", "--change=updated").exitCode())
                .isEqualTo(1);
        assertThat(json("append orders --subject o-2 --change=updated x:=1.5"))
                .containsEntry("number", 4L)
                .containsEntry("change", "updated")
                .containsEntry("subject", "o-2")
                .containsEntry("liveCount", 1L)
                .containsEntry("fields", Map.of("x", 1.5));
    }

    @Test
    void append_ofInstantsThatAreTooFine_isRefused() {
        CommandRun run = run("append", "a", "at:=2026-01-31T09:30:00.0001Z");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("field 'at' holds 2026-01-31T09:30:00.000100Z, finer than a millisecond");
    }

    @Test
    void entries_areShownAsTheyWereAppended() {
        ok("append orders total:=1999 customer=c-17 --subject o-1 --change added");
        ok("append orders photo:=base64:AQID --subject o-1 --change=updated");
        counters.sequence("orders").append(Change.REMOVED, "o-1", Map.of("note", "two\nlines"));
        ok("next orders");
        ok("erase orders 2");

        List<String> lines = ok("entries orders").lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).matches("1  " + TIME + "  added o-1  customer=c-17 total:=1999");
        assertThat(lines.get(1)).matches("2  " + TIME + "  updated o-1  \\(erased\\)");
        assertThat(lines.get(2)).matches("3  " + TIME + "  removed o-1  note:=\"two\\\\nlines\"");
        assertThat(lines.get(3)).matches("4  " + TIME);
    }

    @ParameterizedTest
    @CsvSource({
        "'',1,12",
        "--from 11,11,12",
        "--to 2,1,2",
        "--from=3 --to=3,3,3",
        "--from 11 --to 99,11,12",
        "--last 2,11,12",
        "--last 99,1,12",
        "--from 13,1,0"
    })
    void entries_ofARange(String options, int from, int to) {
        IntStream.range(0, 12).forEach(i -> counters.sequence("s").next());

        assertThat(ok(("entries s " + options).strip())
                        .lines()
                        .map(line -> line.strip().replaceAll(" .*", "")))
                .containsExactlyElementsOf(IntStream.rangeClosed(from, to)
                        .mapToObj(String::valueOf)
                        .toList());
    }

    @Test
    void entries_ofMoreThanAPage_areAllShown() {
        IntStream.range(0, 2500).forEach(i -> counters.sequence("s").next());

        assertThat(ok("entries s").lines()).hasSize(2500).last().asString().startsWith("2500  ");
        assertThat((List<?>) json("entries s --last 1001").get("entries")).hasSize(1001);
    }

    @Test
    void entries_withJson_nameTheTypesOfFields() {
        ok("append s a=x b:=1.0 c:=2026-01-31T09:30:00Z d:=base64:AQID e:=NaN f:=true");

        Map<String, Object> result = json("entries s");

        assertThat(result).containsEntry("sequence", "s").containsEntry("last", 1L);
        Map<?, ?> entry = (Map<?, ?>) ((List<?>) result.get("entries")).get(0);
        assertThat(entry.get("fields"))
                .isEqualTo(Map.of("a", "x", "b", 1.0, "c", "2026-01-31T09:30:00Z", "d", "AQID", "e", "NaN", "f", true));
        assertThat(entry.get("types"))
                .isEqualTo(
                        Map.of("a", "text", "b", "double", "c", "time", "d", "bytes", "e", "double", "f", "boolean"));
        assertThat(entry.get("number")).isEqualTo(1L);
        assertThat(entry.get("subject")).isNull();
        assertThat(entry.get("erased")).isEqualTo(false);
    }

    @Test
    void entries_ofNothing_areNone() {
        assertThat(ok("entries s")).isEmpty();
        assertThat(json("entries s --last 5")).isEqualTo(Map.of("sequence", "s", "last", 0L, "entries", List.of()));
    }

    @Test
    void erase_blanksTheFields() {
        ok("append s name=Ada");

        assertThat(ok("erase s 1")).isEqualTo("erased the fields of entry 1 of 's'\n");
        assertThat(json("erase s 1")).isEqualTo(Map.of("outcome", "applied", "sequence", "s", "number", 1L));
        assertThat(counters.sequence("s").read(1, 1).get(0).erased()).isTrue();
    }

    @Test
    void reset_keepsTheCounterAndDeleteDoesNot() {
        ok("add likes 5");

        assertThat(json("reset likes")).isEqualTo(Map.of("outcome", "applied", "counter", "likes"));
        assertThat(store.dump().counters()).isEqualTo(Map.of("likes", 0L));
        assertThat(ok("delete likes")).isEqualTo("deleted 'likes'\n");
        assertThat(store.dump().counters()).isEmpty();
        assertThat(json("delete likes")).isEqualTo(Map.of("outcome", "applied", "counter", "likes"));
    }

    @Test
    void seal_ofACounter_endsIt() {
        ok("add likes 5");

        assertThat(ok("seal likes --forward new:likes")).isEqualTo("sealed 'likes' at 5: it lives on at 'new:likes'\n");
        assertThat(json("seal likes --forward new:likes"))
                .isEqualTo(Map.of("outcome", "applied", "counter", "likes", "forward", "new:likes", "total", 5L));
        CommandRun add = run("add", "likes");
        assertThat(add.exitCode()).isEqualTo(1);
        assertThat(add.errLines()).containsExactly("counter: 'likes' was sealed at 5 and lives on at 'new:likes'");
        assertThat(run("seal", "likes", "--forward=other").exitCode()).isEqualTo(1);
        assertThat(ok("next likes")).isEqualTo("1\n");
    }

    @Test
    void seal_ofASequence_endsIt() {
        ok("next s");
        ok("append s --subject a --change added");

        assertThat(json("seal s --sequence --forward there"))
                .isEqualTo(
                        Map.of("outcome", "applied", "sequence", "s", "forward", "there", "last", 2L, "liveCount", 2L));
        assertThat(run("next", "s").exitCode()).isEqualTo(1);
        assertThat(ok("add s")).startsWith("added 1");
    }

    @Test
    void seal_onABackendWithoutSeals_isRefused() {
        CommandRun run = CommandRun.on(
                Backends.of(new TestBackend(new AlteredBackend())),
                InputStream.nullInputStream(),
                new Interrupt(),
                "seal",
                "a",
                "--forward=b");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("cannot seal counters");
    }

    @Test
    void resolve_printsTheChangeThatWasApplied() {
        ok("add likes 5 --token a");
        ok("append s --token b");

        assertThat(ok("resolve a")).isEqualTo("applied: add of 5 to 'likes'\n");
        assertThat(ok("resolve b")).isEqualTo("applied: entry 1 of 's'\n");
        assertThat(json("resolve a"))
                .isEqualTo(Map.of("token", "a", "outcome", "applied", "counter", "likes", "delta", 5L));
        assertThat(json("resolve b"))
                .isEqualTo(Map.of("token", "b", "outcome", "applied", "sequence", "s", "number", 1L));
    }

    @Test
    void resolve_ofAnUnknownToken_preventsItsUse() {
        CommandRun run = run("resolve", "a");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("not applied, and never will be\n");
        assertThat(run("add", "likes", "--token=a").exitCode()).isEqualTo(1);
        assertThat(ParsedJson.object(run("resolve", "a", "--json").out()))
                .isEqualTo(Map.of("token", "a", "outcome", "not applied"));
        assertThat(counters.counter("likes").get()).isZero();
        counters.counter("likes").add(1, IdempotencyToken.of("b"));
    }

    private CommandRun run(String... args) {
        return CommandRun.on(
                Backends.of(new TestBackend(InMemoryBackend.over(store))),
                InputStream.nullInputStream(),
                new Interrupt(),
                args);
    }

    /** What a command prints that is done and has nothing to complain of. */
    private String ok(String command) {
        CommandRun run = run(command.split(" "));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run.out();
    }

    private Map<String, Object> json(String command) {
        CommandRun run = run((command + " --json").split(" "));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines()).hasSize(1);
        return ParsedJson.object(run.out());
    }
}
