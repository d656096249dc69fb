package io.counterkit.cli.single;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Json;

/** What a command answers, while it is made: lines for people as they come, or one JSON object at the end. */
final class Reply {
    private final Console console;
    private final boolean isJson;
    private final Json json = Json.object();
    private int exitCode;

    Reply(Console console, boolean isJson) {
        this.console = console;
        this.isJson = isJson;
    }

    /** Whether the answer is for a program: then lines are passed over. */
    boolean isJson() {
        return isJson;
    }

    /** The answer for a program, to be filled. */
    Json json() {
        return json;
    }

    /** A line for people. */
    void line(String line) {
        if (!isJson) {
            console.out().println(line);
        }
    }

    /** Says on the error stream what a person wants to know besides. */
    void note(String message) {
        console.err().println("counter: " + message);
    }

    /** What the command exits with, 0 unless it is said. */
    void exitWith(int code) {
        exitCode = code;
    }

    /** Whether nobody reads the output any more, as behind {@code | head}. */
    boolean isUnread() {
        return !isJson && console.out().checkError();
    }

    /** Ends the answer and returns the exit code. */
    int end() {
        if (isJson) {
            console.out().println(json);
        }
        console.out().flush();
        return exitCode;
    }
}
