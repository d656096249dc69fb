package io.counterkit.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The arguments of a command: values in order, and values with names, such as {@code only=zipf}. Immutable. */
public final class Arguments {
    private final List<String> inOrder = new ArrayList<>();
    private final Map<String, String> named = new HashMap<>();

    private Arguments() {}

    /**
     * Reads the arguments of a command.
     *
     * @param names the names that the command knows
     * @throws IllegalArgumentException if an argument has another name
     */
    public static Arguments of(String[] args, String... names) {
        Arguments arguments = new Arguments();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 0) {
                arguments.inOrder.add(arg);
            } else if (List.of(names).contains(arg.substring(0, equals))) {
                arguments.named.put(arg.substring(0, equals), arg.substring(equals + 1));
            } else {
                throw new IllegalArgumentException(
                        "argument \"" + arg + "\": use one of these before the equals sign: " + List.of(names));
            }
        }
        return arguments;
    }

    /** Returns the value at a position, counted from 0 and without those that have names. */
    public String at(int position, String otherwise) {
        return position < inOrder.size() ? inOrder.get(position) : otherwise;
    }

    /** Returns the number at a position, counted from 0 and without those that have names. */
    public double numberAt(int position, double otherwise) {
        return position < inOrder.size() ? Double.parseDouble(inOrder.get(position)) : otherwise;
    }

    /** Returns the value with a name. */
    public String named(String name, String otherwise) {
        return named.getOrDefault(name, otherwise);
    }
}
