package io.counterkit.datastore.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data files of this version and of the first one, damaged ones, and those of other programs. */
class StoreFileTest {
    private static final int FLIPS = Integer.getInteger("counterkit.attack.flips", 300);
    private static final long SEED =
            Long.getLong("counterkit.seed", RandomGenerator.getDefault().nextLong());

    @TempDir
    Path directory;

    private Path data;

    @BeforeEach
    void nameFile() {
        data = directory.resolve("datastore.bin");
    }

    private LocalDatastore open() {
        return LocalDatastore.open(directory, Durability.EACH_COMMIT);
    }

    private void assertRefused(String as) {
        assertThatIllegalArgumentException()
                .as(as)
                .isThrownBy(this::open)
                .withMessageContaining(data.toString())
                .withMessageContaining("damaged")
                .withMessageContaining("backup");
    }

    private void fill() {
        try (LocalDatastore datastore = open();
                Counters counters = Counters.over(datastore.backend())) {
            counters.counter("c").add(3, IdempotencyToken.random());
            counters.sequence("s").append(Map.of("customer", "c-17"));
        }
    }

    @Test
    void flippedBitsAreFound() throws IOException {
        fill();
        byte[] whole = Files.readAllBytes(data);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        for (int i = 0; i < FLIPS; i++) {
            int bit = i < 64 ? i : random.nextInt(whole.length * 8);
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(data, flipped);
            assertRefused("seed " + SEED + ", bit " + bit);
            assertThat(data).hasBinaryContent(flipped);
        }
        Files.write(data, whole);
        try (LocalDatastore datastore = open();
                Counters counters = Counters.over(datastore.backend())) {
            assertThat(datastore.abandonedBy()).isNull();
            assertThat(counters.counter("c").get()).isEqualTo(3);
        }
    }

    @Test
    void fileOfAnotherLengthIsFound() throws IOException {
        fill();
        byte[] whole = Files.readAllBytes(data);
        for (int length = 0; length < whole.length; length += Math.max(1, whole.length / 50)) {
            Files.write(data, Arrays.copyOf(whole, length));
            assertRefused("cut to " + length);
        }
        Files.write(data, Arrays.copyOf(whole, whole.length + 1));
        assertRefused("one byte too many");
    }

    @Test
    void directoryOfTheFirstVersionOpens() throws IOException {
        copyFirstVersion();
        for (int run = 0; run < 2; run++) { // the second time in today's format
            try (LocalDatastore datastore = open();
                    Counters counters = Counters.over(datastore.backend())) {
                counters.counter("c").add(3, IdempotencyToken.of("t"));
                assertThat(counters.counter("c").get()).isEqualTo(7);
                assertThat(counters.sequence("s").read(1, 10))
                        .extracting(Entry::fields)
                        .startsWith(Map.of("customer", "c-17"), Map.of("n", 5L));
                assertThat(counters.sequence("s").next()).isEqualTo(3 + run);
                assertThat(counters.resolve(IdempotencyToken.of("t"))).isEqualTo(new Resolution.Added("c", 3));
            }
        }
        Files.write(data, Arrays.copyOf(Files.readAllBytes(data), 100));
        assertRefused("of today");
    }

    private void copyFirstVersion() throws IOException {
        try (InputStream stored = Objects.requireNonNull(getClass().getResourceAsStream("first-version.bin"))) {
            long unused = Files.copy(stored, data);
        }
    }

    @Test
    void damagedFileOfTheFirstVersionIsNotReadAsEmpty() throws IOException {
        copyFirstVersion();
        Files.write(data, Arrays.copyOf(Files.readAllBytes(data), 2000));
        assertRefused("cut");
    }

    /** The file cannot run code of other classes. */
    @Test
    void objectsOfOtherClassesAreNotCreated() throws IOException {
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(data))) {
            out.writeLong(-2);
            out.writeLong(1);
            out.writeLong(1);
            out.writeObject(new HashMap<>(Map.of("test", new Made())));
        }
        Made.made = false;
        assertRefused("another class");
        assertThat(Made.made).isFalse();
    }

    /** A class that runs code when it is read. */
    private static final class Made implements Serializable {
        private static final long serialVersionUID = 1L;
        static boolean made;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            made = true;
        }
    }
}
