package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of {@code counter completion}, in the shells that are installed; bash always is. */
class CompletionTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void commands_areCompleted(String shell) throws Exception {
        assertThat(completed(shell, "counter a")).containsExactlyInAnyOrder("add", "append", "adopt");
        assertThat(completed(shell, "counter mig")).containsExactly("migrate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void optionsOfACommandAndOfItsBackend_areCompleted(String shell) throws Exception {
        assertThat(completed(shell, "counter get --da")).containsExactlyInAnyOrder("--data", "--database");
        assertThat(completed(shell, "counter get --max-s")).containsExactly("--max-staleness");
        assertThat(completed(shell, "counter migrate --to-pro")).containsExactly("--to-project");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void backends_areCompleted(String shell) throws Exception {
        assertThat(completed(shell, "counter get --backend "))
                .containsExactlyInAnyOrder("datastore", "firestore", "inmemory", "postgresql", "sqlite");
    }

    private List<String> completed(String shell, String line) throws IOException, InterruptedException {
        assumeTrue(shell.equals("bash") || isInstalled(shell), shell + " is not installed");
        CommandRun run = CommandRun.of("completion", shell);
        assertThat(run.exitCode()).as(run.err()).isZero();
        Path script = Files.writeString(folder.resolve(shell), run.out());
        String[] words = line.split(" ", -1);
        String compWords = "COMP_WORDS=(" + String.join(" ", words).replaceFirst(" $", " ''") + ")\n";
        String asked = switch (shell) {
            case "fish" -> "source " + script + "\ncomplete -C '" + line + "'\n";
            case "zsh" ->
                // As zsh's bashcompinit calls a function that was written for bash.
                "autoload -U compinit && compinit -D\nsource " + script + "\nemulate ksh\n" + compWords + "COMP_CWORD="
                        + (words.length - 1) + "\n_complete_counter\nprint -l -- \"${COMPREPLY[@]}\"\n";
            default ->
                "source " + script + "\n" + compWords + "COMP_CWORD=" + (words.length - 1)
                        + "\n_complete_counter\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
        };
        Path commands = Files.writeString(folder.resolve(shell + "-asks"), asked);
        Process process = new ProcessBuilder(shell, commands.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD) // bash's compopt wants a terminal
                .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return Arrays.stream(out.split("\n"))
                .map(found -> found.replaceFirst("\t.*", "").strip())
                .filter(found -> !found.isEmpty() && found.startsWith(words[words.length - 1])) // zsh does that itself
                .toList();
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }
}
