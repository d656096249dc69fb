package io.counterkit.tck.internal.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules in the {@code SPEC.md} of this jar. */
public final class Spec {
    private static final Pattern RULE = Pattern.compile(
            "^\\*\\*(\\d+\\.\\d+)\\*\\* (MUST|SHOULD) (.+?)\\s*\\R\\s*\\*Intent:\\* (.+?)\\s*$", Pattern.MULTILINE);
    private static final Pattern UNTESTED = Pattern.compile("^\\| (\\d+\\.\\d+) \\| (.+?) \\|$", Pattern.MULTILINE);

    private final Map<String, String> rules = new LinkedHashMap<>();
    private final Map<String, String> untested = new LinkedHashMap<>();

    private Spec(String text) {
        for (Matcher rule = RULE.matcher(text); rule.find(); ) {
            String sentence = rule.group(2) + " " + rule.group(3) + "\nIntent: " + rule.group(4);
            if (rules.put(rule.group(1), sentence) != null) {
                throw new IllegalStateException("SPEC.md has rule " + rule.group(1) + " twice");
            }
        }
        for (Matcher row = UNTESTED.matcher(text); row.find(); ) {
            untested.put(row.group(1), row.group(2));
        }
    }

    public static Spec load() {
        try (InputStream in =
                Objects.requireNonNull(Spec.class.getResourceAsStream("/io/counterkit/tck/SPEC.md"), "SPEC.md")) {
            return new Spec(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the level, sentence and intent of each rule, by number. */
    public Map<String, String> rules() {
        return rules;
    }

    /** Returns the reason of each rule without a test, by number. */
    public Map<String, String> untested() {
        return untested;
    }
}
