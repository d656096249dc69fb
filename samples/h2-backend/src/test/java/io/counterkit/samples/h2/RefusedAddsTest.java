package io.counterkit.samples.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class RefusedAddsTest {
    @Test
    void refusedAdds_areNotApplied_andOtherCallsPass() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        AtomicBoolean isReadOnly = new AtomicBoolean();
        try (Counters counters = Counters.over(RefusedAdds.over(H2Backend.create(source), isReadOnly::get))) {
            Counter likes = counters.counter("likes " + UUID.randomUUID());
            likes.add(2);
            isReadOnly.set(true);

            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(likes::increment)
                    .withMessage("the store is read-only now");

            assertThat(likes.get()).isEqualTo(2);
            isReadOnly.set(false);
            likes.increment();
            assertThat(likes.get()).isEqualTo(3);
        }
    }
}
