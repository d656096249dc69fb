package io.counterkit.tck.internal.model;

import java.time.Instant;
import java.util.List;

/** Values of fields that a store may change: at the edges of their type, or similar to values of another type. */
public final class ExtremeValues {
    private ExtremeValues() {}

    /** Returns a list of values for each type. */
    public static List<List<Object>> byType() {
        return List.of(longs(), doubles(), texts(), instants(), bytes(), List.of(true, false));
    }

    private static List<Object> longs() {
        return List.of(
                0L,
                -1L,
                1L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MAX_VALUE - 1,
                (1L << 53) + 1,
                -(1L << 53) - 1,
                (1L << 31),
                (1L << 32) - 1,
                -(1L << 31) - 1,
                127L,
                128L,
                255L,
                256L,
                32768L,
                65536L);
    }

    private static List<Object> doubles() {
        return List.of(
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.1,
                0.1 + 0.2,
                1.0 / 3,
                Math.PI,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                Double.MIN_NORMAL,
                Double.MAX_VALUE,
                -Double.MAX_VALUE,
                Math.nextUp(1.0),
                Math.nextDown(1.0),
                9007199254740992.0,
                1e308,
                1e-320,
                123456789.12345679,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                Double.NaN,
                1e15,
                1e16,
                1e17,
                1e21);
    }

    private static List<Object> texts() {
        StringBuilder controls = new StringBuilder();
        for (char c = 0; c < 0xa1; c++) {
            controls.append(c);
        }
        return List.of(
                "",
                " ",
                "  a  ",
                "a ",
                " a",
                "\t",
                "\n",
                "\r\n",
                "a\r\nb\rc\n",
                "\u0000",
                "a\u0000",
                "\u0000a",
                controls.toString(),
                "\u00e9",
                "e\u0301",
                "\ufeffa",
                "\u200b",
                "\uffff\ufffe\ufffd",
                "\ud83d\ude00",
                "\udbff\udfff",
                "1",
                "1.0",
                "true",
                "null",
                "NaN",
                "2020-01-01T00:00:00Z",
                "2020-01-01T00:00:00.000Z",
                "1E3",
                "00",
                "{}",
                "[]",
                "\"a\"",
                "'a'",
                "=1",
                "NULL",
                "Infinity",
                "2020-01-01",
                "00:00:00",
                "0x00",
                "\\x00",
                "\\N",
                "AAAA",
                "base64:AAAA",
                "data:;base64,AAAA",
                "long:1",
                "l:1",
                "1L",
                "1.0d",
                "{\"$numberLong\":\"1\"}",
                "{\"$date\":0}",
                "\\",
                "\\n",
                "%",
                "'",
                "''",
                "x".repeat(255),
                "x".repeat(256),
                "x".repeat(1500),
                "x".repeat(1501),
                "\u00e9".repeat(751),
                "x".repeat(4001),
                "\ud83d\ude00".repeat(1024));
    }

    private static List<Object> instants() {
        return List.of(
                Instant.EPOCH,
                Instant.ofEpochMilli(1),
                Instant.ofEpochMilli(-1),
                Instant.ofEpochMilli(999),
                Instant.ofEpochMilli(-1001),
                Instant.parse("0001-01-01T00:00:00Z"),
                Instant.parse("0001-01-01T00:00:00.001Z"),
                Instant.parse("1582-10-04T12:00:00.500Z"),
                Instant.parse("1582-10-15T00:00:00Z"),
                Instant.parse("1883-11-18T12:03:58Z"),
                Instant.parse("1900-02-28T23:59:59.999Z"),
                Instant.parse("1969-12-31T23:59:59.999Z"),
                Instant.parse("2016-12-31T23:59:59.999Z"),
                Instant.parse("2024-03-31T01:30:00.123Z"),
                Instant.parse("2024-10-27T01:30:00.123Z"),
                Instant.parse("2038-01-19T03:14:08Z"),
                Instant.parse("9999-12-31T23:59:59.999Z"));
    }

    private static List<Object> bytes() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        return List.of(new byte[0], new byte[] {0}, new byte[] {-1}, new byte[] {0, 0, 0}, all, new byte[10_000]);
    }
}
