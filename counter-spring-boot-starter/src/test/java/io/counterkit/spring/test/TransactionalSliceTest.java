package io.counterkit.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** A component that counts, and also has a database. */
@CounterKitTest
@Import({Likes.class, TransactionalSliceTest.Database.class})
@Transactional
class TransactionalSliceTest {
    @Autowired
    private Counters counters;

    @SuppressWarnings("serial")
    static class Database extends DataSourceTransactionManager {
        Database() {
            super(new DriverManagerDataSource("jdbc:sqlite::memory:"));
        }
    }

    @Test
    void transactionOfTheTestEndsBeforeItsCounters(@Autowired PlatformTransactionManager manager) {
        assertThat(manager).isNotNull();
        counters.counter("posts/42").increment();
    }

    @AfterTransaction
    void countersAreOpen() {
        assertThat(counters.counter("posts/42").get()).isEqualTo(1);
    }
}
