package io.counterkit.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests cursors that another list, or no list, has returned. */
class NameCursorTest {
    private final CloudStore store = Emulator.FRESH.store();
    private final Counters counters = CloudStore.patient(store.connect());
    private final String prefix = UUID.randomUUID() + "/";

    @AfterEach
    void close() {
        counters.close();
        store.close();
    }

    private List<String> after(String start) {
        List<String> names = new ArrayList<>();
        @Nullable String cursor = start;
        do {
            NamePage page = counters.counterNames(prefix, cursor, 10);
            names.addAll(page.names());
            cursor = page.next();
        } while (cursor != null);
        return names;
    }

    @Test
    void everyText_isAPlaceAmongTheNames() {
        counters.counter(prefix + "a").add(1);
        counters.counter(prefix + "z").add(1);
        for (String before : List.of(" ", "/", "..", "__x__", "%", "!".repeat(Limits.MAX_NAME_BYTES), prefix)) {
            assertThat(after(before.equals("__x__") ? prefix + before : before))
                    .as("after '%s'", before)
                    .containsExactly(prefix + "a", prefix + "z");
        }
        assertThat(after(prefix + "a/b")).containsExactly(prefix + "z");
        for (String behind : List.of(prefix + "z", prefix + "z/", "~", "~".repeat(Limits.MAX_NAME_BYTES), "\uffff")) {
            assertThat(after(behind)).as("after '%s'", behind).isEmpty();
        }
    }
}
