package io.counterkit.cli.console;

/** Shortens a text from outside, and makes it safe to print on a terminal. */
public final class Excerpt {
    private static final int LENGTH = 60;
    private static final int UNFIT = '\ufffd';

    private Excerpt() {}

    /** Returns the first 60 characters of {@code text}, with U+FFFD in place of each that is not safe to print. */
    public static String of(String text) {
        boolean isWhole = text.length() <= LENGTH;
        StringBuilder shown = new StringBuilder();
        text.substring(0, isWhole ? text.length() : LENGTH)
                .codePoints()
                .forEach(c -> shown.appendCodePoint(isFit(c) ? c : UNFIT));
        return isWhole ? shown.toString() : shown.append('…').toString();
    }

    /** Returns whether a character neither acts on the terminal nor reverses the direction of writing. */
    public static boolean isFit(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE;
    }
}
