package io.counterkit.verification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the pages of documentation. */
final class Page {
    static final Path ROOT = Path.of("..");

    private Page() {}

    static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String lineThatStarts(String page, String start) {
        return page.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    /** Returns the cells of a table's row. */
    static List<String> cells(String row) {
        return Pattern.compile("\\|")
                .splitAsStream(row)
                .map(String::strip)
                .filter(cell -> !cell.isEmpty())
                .toList();
    }
}
