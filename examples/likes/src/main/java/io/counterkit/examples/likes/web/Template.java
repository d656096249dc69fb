package io.counterkit.examples.likes.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text file with <code>{{placeholders}}</code> for values. */
record Template(String text) {
    private static final Pattern NAME = Pattern.compile("\\{\\{(\\w+)}}");

    static Template of(String file) {
        return new Template(new String(read(file), StandardCharsets.UTF_8));
    }

    /** Reads a resource of this package. */
    static byte[] read(String file) {
        try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(file), file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces each placeholder with its value, which is HTML. */
    String fill(Map<String, String> html) {
        return NAME.matcher(text)
                .replaceAll(name ->
                        Matcher.quoteReplacement(Objects.requireNonNull(html.get(name.group(1)), name.group())));
    }
}
