package io.counterkit.jdbc.internal.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Converts the numbers of the requests of one commit to text and back. A run of consecutive numbers is its first number
 * and its length, "7+3" for 7, 8 and 9; two requests without a number are "0+2".
 */
final class Numbers {
    private Numbers() {}

    static String encode(List<Long> numbers) {
        StringBuilder text = new StringBuilder();
        for (int from = 0; from < numbers.size(); ) {
            long first = numbers.get(from);
            int length = 1;
            while (from + length < numbers.size() && numbers.get(from + length) == (first == 0 ? 0 : first + length)) {
                length++;
            }
            text.append(text.isEmpty() ? "" : ",").append(first).append('+').append(length);
            from += length;
        }
        return text.toString();
    }

    /**
     * Returns the number of each request; 0 for one without a number.
     *
     * @throws NumberFormatException if the text has another form
     */
    static List<Long> decode(String text) {
        List<Long> numbers = new ArrayList<>();
        for (String run : text.split(",", -1)) {
            int plus = run.indexOf('+');
            if (plus < 0) {
                throw new NumberFormatException("'" + run + "' is no run of numbers");
            }
            long first = Long.parseLong(run.substring(0, plus));
            int length = Integer.parseInt(run.substring(plus + 1));
            for (int i = 0; i < length; i++) {
                numbers.add(first == 0 ? 0 : first + i);
            }
        }
        return numbers;
    }
}
