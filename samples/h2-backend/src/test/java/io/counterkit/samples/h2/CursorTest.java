package io.counterkit.samples.h2;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class CursorTest {
    private final JdbcDataSource source = new JdbcDataSource();

    CursorTest() {
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Test
    void textThatCannotBeAName_isRefused() {
        try (Counters counters = Counters.over(H2Backend.create(source))) {
            assertThatIllegalArgumentException().isThrownBy(() -> counters.counterNames("", "\u0000", 10));
            assertThatIllegalArgumentException().isThrownBy(() -> counters.sequenceNames("", "", 10));
        }
    }
}
