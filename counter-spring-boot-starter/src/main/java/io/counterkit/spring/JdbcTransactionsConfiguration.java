package io.counterkit.spring;

import io.counterkit.jdbc.JdbcCounterBackend;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Lets the counters on a data source take part in its transactions. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JdbcCounterBackend.class, DataSourceUtils.class})
@ConditionalOnBean(JdbcCounterBackend.class)
@ConditionalOnSingleCandidate(DataSource.class)
final class JdbcTransactionsConfiguration {
    @Bean
    @ConditionalOnMissingBean
    CounterTransactions counterTransactions(JdbcCounterBackend backend, DataSource dataSource) {
        return new CounterTransactions(backend, dataSource);
    }
}
