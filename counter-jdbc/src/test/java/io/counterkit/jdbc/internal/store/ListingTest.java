package io.counterkit.jdbc.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ListingTest {
    @Test
    void endOfAPrefix_isTheNextTextOfItsLength() {
        assertThat(Listing.end("posts/")).isEqualTo("posts0");
        assertThat(Listing.end("a\uffff")).isEqualTo("a" + Character.toString(0x10000));
        assertThat(Listing.end("")).isNull();
    }

    @Test
    void endOfAPrefix_isNoSurrogate() {
        assertThat(Listing.end("a\ud7ff")).isEqualTo("a\ue000");
    }

    @Test
    void lastCharacter_carries() {
        String last = Character.toString(Character.MAX_CODE_POINT);
        assertThat(Listing.end("a" + last)).isEqualTo("b");
        assertThat(Listing.end(last)).isNull();
    }
}
