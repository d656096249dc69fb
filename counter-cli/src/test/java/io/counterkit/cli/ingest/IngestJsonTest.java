package io.counterkit.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import io.counterkit.cli.ParsedJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IngestJsonTest {
    @Test
    void json_holdsTheWholeSummary() {
        CommandRun run = CommandRun.withInput("a\nb\t5\nbad\tx\n\na\n", "ingest", "--json", "--top=1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.outLines()).hasSize(1);
        Map<String, Object> result = ParsedJson.object(run.out());
        assertThat(result)
                .containsEntry("source", "standard input")
                .containsEntry("lines", 5L)
                .containsEntry("blank", 1L)
                .containsEntry("malformed", 1L)
                .containsEntry("adds", 3L)
                .containsEntry("commits", 2L)
                .containsEntry("addsPerCommit", 1.5)
                .containsEntry("names", 2L)
                .containsEntry("checked", 2L)
                .containsEntry("exact", 2L)
                .containsEntry("interrupted", false)
                .containsEntry("failure", null)
                .containsEntry("problems", List.of())
                .containsEntry("notApplied", List.of())
                .containsEntry("unknown", List.of())
                .containsEntry("top", List.of(Map.of("name", "b", "total", 5L, "added", 5L)))
                .containsKeys("seconds", "linesPerSecond", "repeats");
    }

    @Test
    void names_areEscaped() {
        String name = "say \"hi\" \\ ä€😀 </script>";

        CommandRun run = CommandRun.withInput(name + "\n", "ingest", "--json");

        assertThat(ParsedJson.object(run.out()))
                .containsEntry("top", List.of(Map.of("name", name, "total", 1L, "added", 1L)));
    }
}
