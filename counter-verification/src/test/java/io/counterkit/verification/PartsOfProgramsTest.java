package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Java blocks of some pages are parts of programs that the build compiles and tests. */
class PartsOfProgramsTest {
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- (\\w+\\.java): (\\w+) -->\n```java\n(.*?)```", Pattern.DOTALL);
    private static final String BEGIN = "// docs: ";

    @ParameterizedTest
    @CsvSource({"docs/writing-a-backend.md, samples/h2-backend", "docs/spring-boot.md, examples/spring-boot"})
    void everyBlockIsAPartAndEveryPartIsShown(String page, String program) throws IOException {
        String text = Page.read(page);
        List<MatchResult> snippets = SNIPPET.matcher(text).results().toList();
        assertThat(snippets).hasSizeGreaterThan(1).hasSize(Snippets.of(text).count());
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Page.ROOT.resolve(program).resolve("src"))) {
            sources = files.filter(path -> path.toString().endsWith(".java")).toList();
        }
        for (MatchResult snippet : snippets) {
            assertThat(snippet.group(3))
                    .as("the snippet %s of %s", snippet.group(2), snippet.group(1))
                    .isEqualTo(part(sources, snippet.group(1), snippet.group(2)));
        }
        for (Path source : sources) {
            for (String line : Files.readAllLines(source)) {
                if (line.strip().startsWith(BEGIN) && !line.strip().equals(BEGIN + "end")) {
                    assertThat(text)
                            .contains("<!-- " + source.getFileName() + ": "
                                    + line.strip().substring(BEGIN.length()) + " -->");
                }
            }
        }
    }

    private static String part(List<Path> sources, String file, String name) throws IOException {
        Path source =
                sources.stream().filter(path -> path.endsWith(file)).findFirst().orElseThrow();
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
        throw new AssertionError("the program has no line '" + marker + "'");
    }
}
