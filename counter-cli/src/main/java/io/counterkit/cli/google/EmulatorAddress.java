package io.counterkit.cli.google;

import java.util.Map;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Takes the word after {@code --emulator} for its address only if it looks like one. Otherwise the word is an argument of
 * the command, as in {@code counter get --emulator likes}.
 */
final class EmulatorAddress implements IParameterPreprocessor {
    /** The value for no address. */
    static final String NONE = "";

    private static final Pattern FORM = Pattern.compile("([\\w.-]+|\\[[0-9a-fA-F:.]+\\]):(\\d{1,5})");

    /** An address that lacks its port, rather than the name of a counter. */
    private static final Pattern PORTLESS = Pattern.compile("localhost|(\\d{1,3}\\.){3}\\d{1,3}");

    private static final int MAX_PORT = 65_535;

    @Override
    @SuppressWarnings("JdkObsolete") // the parser's own type
    public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        boolean isAttached = !" ".equals(info.get("separator"));
        if (!isAttached && (args.isEmpty() || !isAddress(args.peek()))) {
            args.push(NONE);
        }
        return false;
    }

    private static boolean isAddress(String word) {
        return FORM.matcher(word).matches() || PORTLESS.matcher(word).matches();
    }

    /**
     * Returns an address.
     *
     * @throws IllegalArgumentException if it is none
     */
    static String check(String address) {
        Matcher form = FORM.matcher(address);
        if (!form.matches() || Integer.parseInt(form.group(2)) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "emulator \"" + address + "\": use host:port with a port up to 65535, such as 127.0.0.1:8081");
        }
        return address;
    }
}
