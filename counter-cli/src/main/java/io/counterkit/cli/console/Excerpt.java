package io.counterkit.cli.console;

import java.nio.charset.StandardCharsets;

/** The beginning of something that the user gave, fit for a terminal. */
public final class Excerpt {
    private static final int LENGTH = 60;
    private static final int UNFIT = '\ufffd';

    private Excerpt() {}

    /** At most 60 of these bytes as UTF-8, with U+FFFD for what is none. */
    public static String of(byte[] bytes, int from, int to) {
        boolean whole = to - from <= LENGTH;
        StringBuilder shown = new StringBuilder();
        new String(bytes, from, whole ? to - from : LENGTH, StandardCharsets.UTF_8)
                .codePoints()
                .forEach(c -> shown.appendCodePoint(isFit(c) ? c : UNFIT));
        return whole ? shown.toString() : shown.append('…').toString();
    }

    /** Controls would act on the terminal, and format characters turn the direction of writing around. */
    private static boolean isFit(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL && type != Character.FORMAT;
    }
}
