package io.counterkit.cli.single;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Tail;
import io.counterkit.cli.CommandRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that append entries, read them and erase their fields. */
class SequenceCommandsTest extends SingleCommandsSetup {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

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
    void eraseOfANumberThatIsNotUsed_namesThoseThatAre() {
        ok("next s");
        ok("next s");

        assertThat(run("erase", "s", "99").err()).contains("sequence 's' has no entry 99: use 1 to 2");
    }
}
