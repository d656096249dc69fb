package io.counterkit.benchmarks;

/** Names as long as those of an application: 24 characters. */
final class Names {
    static final int LENGTH = 24;

    private static final String PREFIX = "posts/likes/";

    private Names() {}

    static String of(int number) {
        String digits = Integer.toString(number);
        return PREFIX + "0".repeat(LENGTH - PREFIX.length() - digits.length()) + digits;
    }
}
