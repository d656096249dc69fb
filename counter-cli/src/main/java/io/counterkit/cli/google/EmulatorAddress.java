package io.counterkit.cli.google;

import java.util.Map;
import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Takes the word after {@code --emulator} for its address only if it looks like one. Otherwise the word is an argument of
 * the command, as in {@code counter get --emulator likes}.
 */
public final class EmulatorAddress implements IParameterPreprocessor {
    /** The value for no address. */
    public static final String NONE = "";

    private static final Pattern FORM = Pattern.compile("([\\w.-]+|\\[[0-9a-fA-F:.]+\\]):\\d{1,5}");

    @Override
    @SuppressWarnings("JdkObsolete") // the parser's own type
    public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        boolean isAttached = !" ".equals(info.get("separator"));
        if (!isAttached && (args.isEmpty() || !FORM.matcher(args.peek()).matches())) {
            args.push(NONE);
        }
        return false;
    }

    /**
     * Returns an address.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String check(String address) {
        if (!FORM.matcher(address).matches()) {
            throw new IllegalArgumentException("emulator \"" + address + "\": use host:port, such as 127.0.0.1:8081");
        }
        return address;
    }
}
