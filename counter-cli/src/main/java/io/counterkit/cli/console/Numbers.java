package io.counterkit.cli.console;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the numbers in arguments, and says in plain words what is none. */
public final class Numbers {
    private Numbers() {}

    /** Lets a command and its subcommands read their numbers so. */
    public static void register(CommandLine command) {
        ITypeConverter<Integer> ints =
                text -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE).intValue();
        ITypeConverter<Long> longs = text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
        command.registerConverter(int.class, ints)
                .registerConverter(Integer.class, ints)
                .registerConverter(long.class, longs)
                .registerConverter(Long.class, longs)
                .registerConverter(double.class, Numbers::real)
                .registerConverter(Double.class, Numbers::real);
    }

    private static Long whole(String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (least <= number && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new TypeConversionException("'" + text + "' is no whole number from " + least + " to " + most);
    }

    private static Double real(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is no number");
        }
    }
}
