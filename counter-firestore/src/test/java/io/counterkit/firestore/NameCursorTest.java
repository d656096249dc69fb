package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests cursors of name lists that Firestore would not accept as the id of a document. */
class NameCursorTest {
    private final TestStore store = new TestStore();
    private final Counters counters = store.counters();

    @AfterEach
    void close() {
        store.close();
    }

    private List<String> after(String prefix, String cursor) {
        counters.counter("p/a").add(1);
        counters.counter("p/z").add(1);
        counters.sequence("p/a").append(Map.of());
        counters.sequence("p/z").append(Map.of());
        NamePage page = counters.counterNames(prefix, cursor, 10);
        assertThat(counters.sequenceNames(prefix, cursor, 10)).isEqualTo(page);
        assertThat(page.next()).isNull();
        return page.names();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/", ".", "..", "__x__", "%", "%2F", "p", "p/", "p/__x__", "o/z"})
    void cursorBeforeTheNames_listsAll(String cursor) {
        assertThat(after("p/", cursor)).containsExactly("p/a", "p/z");
        assertThat(after("", cursor)).containsExactly("p/a", "p/z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p/a", "p/a/b", "p/b", "p/a%2F"})
    void cursorAmongTheNames_listsTheRest(String cursor) {
        assertThat(after("p/", cursor)).containsExactly("p/z");
        assertThat(after("", cursor)).containsExactly("p/z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p/z", "p/z/", "q", "~", "\uffff"})
    void cursorAfterTheNames_listsNothing(String cursor) {
        assertThat(after("p/", cursor)).isEmpty();
        assertThat(after("", cursor)).isEmpty();
    }

    @Test
    void longestCursor_isAccepted() {
        assertThat(after("p/", "/".repeat(Limits.MAX_NAME_BYTES))).containsExactly("p/a", "p/z");
        assertThat(after("p/", "q" + "%".repeat(Limits.MAX_NAME_BYTES - 1))).isEmpty();
    }

    @Test
    void cursorThatIsNoName_isRefused() {
        for (String cursor : List.of("", "\u0000", "\ud800", "x".repeat(Limits.MAX_NAME_BYTES + 1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> counters.counterNames("", cursor, 10))
                    .withMessageContaining("is not from a page of names");
            assertThatIllegalArgumentException().isThrownBy(() -> counters.sequenceNames("", cursor, 10));
        }
    }

    @Test
    void cursor_isTheLastName() {
        String awkward = "/" + "%".repeat(Limits.MAX_NAME_BYTES - 1);
        counters.counter(awkward).add(1);
        counters.counter("p/a").add(1);
        NamePage first = counters.counterNames("", null, 1);
        assertThat(first).isEqualTo(new NamePage(List.of(awkward), awkward));
        assertThat(counters.counterNames("", first.next(), 2).names()).containsExactly("p/a");
        assertThat(counters.counterNames("p", first.next(), 2).names()).containsExactly("p/a");
    }
}
