package io.counterkit.samples.h2;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldCodecTest {
    @Test
    void everyPartOfFields_isReportedAsCorrupt() {
        byte[] whole =
                FieldCodec.encode(Map.of("customer", "c-17", "key", new byte[] {1, 2}, "paid", true, "total", 3L));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(CorruptDataException.class)
                    .as("%s of %s bytes", length, whole.length)
                    .isThrownBy(() -> FieldCodec.decode(part));
        }
    }

    @Test
    void negativeLength_isReportedAsCorrupt() {
        byte[] bytes = FieldCodec.encode(Map.of("customer", "c-17"));
        Arrays.fill(bytes, Integer.BYTES, 2 * Integer.BYTES, (byte) -1);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> FieldCodec.decode(bytes))
                .withMessage("an entry holds fields that were not written here: a length of -1 bytes");
    }
}
