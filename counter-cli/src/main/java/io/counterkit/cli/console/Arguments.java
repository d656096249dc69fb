package io.counterkit.cli.console;

import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the numbers and durations in arguments, and checks them, with messages in plain words. */
public final class Arguments {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");

    private Arguments() {}

    /** Registers the converters with a command and its subcommands. */
    public static void register(CommandLine command) {
        ITypeConverter<Integer> ints =
                text -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE).intValue();
        ITypeConverter<Long> longs = text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
        command.registerConverter(int.class, ints)
                .registerConverter(Integer.class, ints)
                .registerConverter(long.class, longs)
                .registerConverter(Long.class, longs)
                .registerConverter(double.class, Arguments::real)
                .registerConverter(Double.class, Arguments::real)
                .registerConverter(Duration.class, Arguments::duration);
    }

    /** Throws {@link IllegalArgumentException} with this problem unless the arguments are valid. */
    public static void check(boolean isValid, String problem) {
        if (!isValid) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** Checks a prefix of names; an empty one matches all names. */
    public static void checkPrefix(String prefix) {
        if (!prefix.isEmpty()) {
            Limits.checkName("prefix", prefix);
        }
    }

    private static Long whole(String text, long least, long most) {
        boolean isWhole = WHOLE.matcher(text).matches();
        try {
            long number = Long.parseLong(text);
            if (least <= number && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new TypeConversionException("'" + text + "' is "
                + (!isWhole
                        ? "not a whole number"
                        : text.startsWith("-")
                                ? "too small: use " + least + " or more"
                                : "too large: use at most " + most));
    }

    private static Double real(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    private static Duration duration(String text) {
        Matcher form = DURATION.matcher(text);
        if (!form.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration like 500ms, 10s, 5m or 2h");
        }
        return form.group(2).equals("ms")
                ? Duration.ofMillis(Long.parseLong(form.group(1)))
                : Duration.parse("PT" + text);
    }
}
