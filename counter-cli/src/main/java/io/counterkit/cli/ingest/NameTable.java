package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.cli.console.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The tally of each distinct name, found by the bytes of the name, so that a name becomes a text once. */
final class NameTable {
    private final Map<Bytes, Tally> tallies = new HashMap<>();
    private final Bytes wanted = new Bytes();
    private final Counters counters;

    NameTable(Counters counters) {
        this.counters = counters;
    }

    /**
     * The tally of the name in these bytes.
     *
     * @throws IllegalArgumentException if it is no name
     */
    Tally get(byte[] bytes, int from, int to) {
        wanted.set(bytes, from, to);
        Tally tally = tallies.get(wanted);
        return tally != null ? tally : add(bytes, from, to);
    }

    private Tally add(byte[] bytes, int from, int to) {
        Tally tally = new Tally(counters.counter(text(bytes, from, to)).async());
        Bytes key = new Bytes();
        key.set(Arrays.copyOfRange(bytes, from, to), 0, to - from);
        tallies.put(key, tally);
        return tally;
    }

    private static String text(byte[] bytes, int from, int to) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("name '" + Excerpt.of(bytes, from, to) + "' is not UTF-8", e);
        }
    }

    Collection<Tally> tallies() {
        return tallies.values();
    }

    /**
     * A part of an array as a key; one is reused for looking up. Comparable, because then a map stands firm against
     * names that were chosen to collide.
     */
    private static final class Bytes implements Comparable<Bytes> {
        private byte[] array = {};
        private int from;
        private int to;
        private int hash;

        void set(byte[] bytes, int start, int end) {
            array = bytes;
            from = start;
            to = end;
            int h = 0;
            for (int i = start; i < end; i++) {
                h = 31 * h + bytes[i];
            }
            hash = h;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes that && Arrays.equals(array, from, to, that.array, that.from, that.to);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public int compareTo(Bytes that) {
            return Arrays.compare(array, from, to, that.array, that.from, that.to);
        }
    }
}
