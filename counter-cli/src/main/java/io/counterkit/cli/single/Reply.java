package io.counterkit.cli.single;

import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command: lines for people, printed as they come, or one JSON object for programs at the end.
 * Thread-safe except for that object.
 */
final class Reply {
    private final CommandContext context;
    private final Console console;
    private final List<String> changes = new ArrayList<>();
    private @Nullable Json json;
    private volatile int exitCode; // a follower sets it on its own thread

    Reply(CommandContext context) {
        this.context = context;
        this.console = context.console();
    }

    /** Returns whether the result is for a program; {@link #line} then prints nothing. */
    boolean isJson() {
        return context.isJson();
    }

    /** Returns the object for a program, which is printed if this was called. */
    Json json() {
        if (json == null) {
            json = Json.object();
        }
        return json;
    }

    /** Prints a line for people. */
    void line(String line) {
        if (!isJson()) {
            console.out().println(line);
        }
    }

    /** Adds a line that is printed once the change is certain, and returns the object for a program. */
    Json applied(String line) {
        changes.add(line);
        return json().with("outcome", "applied");
    }

    /** Prints one of several results, which are all of it: a line for people, or a line of JSON. */
    void item(String line, Json item) {
        console.out().println(isJson() ? item : line);
    }

    /** Prints a message on the error stream. */
    void note(String message) {
        console.say(message);
    }

    /** Sets the exit code. Default: 0. */
    void exitWith(int code) {
        exitCode = code;
    }

    /** Returns whether the reader of the output closed the pipe, as {@code head} does. */
    boolean isUnread() {
        return console.out().checkError();
    }

    /** Returns whether no more output is wanted. */
    boolean isEnough() {
        return context.interrupt().isRequested() || isUnread();
    }

    /** Ends the result and returns the exit code. */
    int end() {
        changes.forEach(this::line);
        if (isJson() && json != null) {
            console.out().println(json);
        }
        return exitCode;
    }
}
