package io.counterkit.benchmarks;

/** Counter names of a typical length: 24 characters. */
final class Names {
    static final int LENGTH = 24;

    private static final String PREFIX = "posts/likes/";

    private Names() {}

    static String of(int number) {
        String digits = Integer.toString(number);
        return PREFIX + "0".repeat(LENGTH - PREFIX.length() - digits.length()) + digits;
    }
}
