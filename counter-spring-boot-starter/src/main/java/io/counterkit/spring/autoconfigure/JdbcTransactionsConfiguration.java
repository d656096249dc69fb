package io.counterkit.spring.autoconfigure;

import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.spring.CounterTransactions;
import io.counterkit.spring.internal.transaction.CommittedTransactions;
import io.counterkit.spring.internal.transaction.ThreadBoundTransactions;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Provides adds and appends in the transactions of the counters' data source. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JdbcCounterBackend.class, DataSourceUtils.class})
@ConditionalOnSingleCandidate(JdbcCounterBackend.class)
final class JdbcTransactionsConfiguration {
    @Bean
    @ConditionalOnMissingBean
    CounterTransactions counterTransactions(JdbcCounterBackend backend, CommittedTransactions committed) {
        return new ThreadBoundTransactions(backend, committed);
    }

    @Bean
    @ConditionalOnMissingBean
    static CommittedTransactions counterCommittedTransactions(ConfigurableListableBeanFactory beans) {
        return new CommittedTransactions(beans);
    }
}
