package io.counterkit.cli.single;

import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * What a command answers, while it is made: lines for people as they come, or one JSON object at the end. Thread-safe but
 * for that object.
 */
final class Reply {
    private final Console console;
    private final Interrupt interrupt;
    private final List<String> results = new ArrayList<>();
    private final boolean isJson;
    private final Json json = Json.object();
    private boolean isOfItems;
    private int exitCode;

    Reply(Console console, Interrupt interrupt, boolean isJson) {
        this.console = console;
        this.interrupt = interrupt;
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

    /** What was changed, for people: shown when it is certain, that is, when the store is closed. */
    void result(String line) {
        results.add(line);
    }

    /** One of several answers that are shown as they come: a line for people, or a line of JSON; none after the end. */
    synchronized void item(String line, Json item) {
        if (!isOfItems) {
            console.out().println(isJson ? item : line);
            console.out().flush();
        }
    }

    /** There are no more items; they were the answer. */
    synchronized void endItems() {
        isOfItems = true;
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
        return console.out().checkError();
    }

    /** Whether nobody wants to see more. */
    boolean isEnough() {
        return interrupt.isRequested() || isUnread();
    }

    /** Ends the answer and returns the exit code. */
    int end() {
        results.forEach(this::line);
        if (isJson && !isOfItems) {
            console.out().println(json);
        }
        console.out().flush();
        return exitCode;
    }
}
