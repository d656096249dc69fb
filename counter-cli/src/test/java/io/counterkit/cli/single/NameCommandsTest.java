package io.counterkit.cli.single;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.cli.AlteredBackend;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.ParsedJson;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The commands for counters and sequences alike, and the one for tokens. */
class NameCommandsTest extends SingleCommandsSetup {
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
    void seal_ofACounter_endsIt() {
        ok("add likes 5");

        assertThat(ok("seal likes --forward new:likes"))
                .isEqualTo("sealed 'likes' at 5: it continues at 'new:likes'\n");
        assertThat(json("seal likes --forward new:likes"))
                .isEqualTo(Map.of("outcome", "applied", "counter", "likes", "forward", "new:likes", "total", 5L));
        CommandRun add = run("add", "likes");
        assertThat(add.exitCode()).isEqualTo(1);
        assertThat(add.errLines()).containsExactly("counter: 'likes' was sealed at 5 and continues at 'new:likes'");
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
}
