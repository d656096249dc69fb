package io.counterkit.samples.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The snippets of docs/writing-a-backend.md are parts of this sample. */
class SnippetsTest {
    private static final Path PAGE = Path.of("../../docs/writing-a-backend.md");
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- (\\w+\\.java): (\\w+) -->\n```java\n(.*?)```", Pattern.DOTALL);
    private static final String BEGIN = "// docs: ";

    @Test
    void everySnippet_isAPartOfTheSample() throws IOException {
        List<MatchResult> snippets =
                SNIPPET.matcher(Files.readString(PAGE)).results().toList();
        assertThat(snippets).hasSizeGreaterThan(10);
        for (MatchResult snippet : snippets) {
            assertThat(snippet.group(3))
                    .as("the snippet %s of %s", snippet.group(2), snippet.group(1))
                    .isEqualTo(part(snippet.group(1), snippet.group(2)));
        }
    }

    @Test
    void everyPart_isShown() throws IOException {
        String page = Files.readString(PAGE);
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (line.strip().startsWith(BEGIN) && !line.strip().equals(BEGIN + "end")) {
                        assertThat(page)
                                .contains("<!-- " + file.getFileName() + ": "
                                        + line.strip().substring(BEGIN.length()) + " -->");
                    }
                }
            }
        }
    }

    private static String part(String file, String name) throws IOException {
        Path source;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            source = files.filter(path -> path.endsWith(file)).findFirst().orElseThrow();
        }
        List<String> lines = Files.readAllLines(source);
        int from = indexOf(lines, BEGIN + name, 0) + 1;
        return String.join("\n", lines.subList(from, indexOf(lines, BEGIN + "end", from)))
                        .stripIndent()
                        .strip()
                + "\n";
    }

    private static int indexOf(List<String> lines, String marker, int from) {
        for (int i = from; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(marker)) {
                return i;
            }
        }
        throw new AssertionError("the sample has no line '" + marker + "'");
    }
}
