package io.counterkit.cli.single;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import io.counterkit.cli.ParsedJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that change, read and list counters. */
class CounterCommandsTest extends SingleCommandsSetup {
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
                .isEqualTo("added 5 to 'likes', once in total under token 'order-17'\n");
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
                        line -> assertThat(line).isEqualTo("5  a/2"),
                        line -> assertThat(line).isEqualTo("3  a/1"));
        assertThat(ok("top").lines()).hasSize(4).first().asString().endsWith("b");
        assertThat(ok("top nothing")).isEmpty();
        Map<?, ?> first = (Map<?, ?>) ((List<?>) json("top").get("counters")).get(0);
        assertThat(first.get("name")).isEqualTo("b");
        assertThat(first.get("total")).isEqualTo(9L);
        assertThat(first.get("stalenessSeconds")).isEqualTo(0.0);
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
}
