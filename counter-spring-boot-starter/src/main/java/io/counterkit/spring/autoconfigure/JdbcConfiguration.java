package io.counterkit.spring.autoconfigure;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.jdbc.MissingTablesException;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The backend on the application's data source, after Flyway, Liquibase or a script has created the tables. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBackend(BackendName.JDBC)
@ConditionalOnMissingBean({CounterBackend.class, Counters.class})
final class JdbcConfiguration {
    @Bean
    @DependsOnDatabaseInitialization
    JdbcCounterBackend counterBackend(
            ObjectProvider<DataSource> dataSources,
            ListableBeanFactory beans,
            ObjectProvider<JdbcCounterOptions> options,
            CounterKitProperties properties) {
        DataSource dataSource = dataSources.getIfUnique();
        if (dataSource == null) {
            throw noDataSource(beans.getBeanNamesForType(DataSource.class));
        }
        JdbcCounterOptions chosen = options.getIfAvailable(() -> options(properties));
        try {
            return JdbcCounterBackend.create(dataSource, chosen);
        } catch (MissingTablesException e) {
            throw wrongTables(
                    e,
                    "Let Flyway, Liquibase or your own script run the file of counterkit-sql in the jar of counter-jdbc, or"
                            + " set counterkit.jdbc.create-tables=true.");
        } catch (IllegalStateException e) {
            // The tables are of another version, beside which createTables creates none.
            throw wrongTables(e, "Update the application to the version of CounterKit that the tables belong to.");
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    sentence("The counters cannot use the database: ", e),
                    "Correct spring.datasource.url, counterkit.jdbc.schema or the version of the driver, which Spring Boot's"
                            + " build takes from the property sqlite-jdbc.version or postgresql.version, or choose"
                            + " another store with counterkit.backend. The size of the pool is that of"
                            + " spring.datasource.hikari.maximum-pool-size.",
                    e);
        } catch (CorruptDataException e) {
            throw new ConfigurationException(
                    sentence("The counters cannot start: ", e),
                    "Correct spring.datasource.url if it leads to a file of another program, or restore the database from"
                            + " a backup.",
                    e);
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    sentence("The counters cannot start: ", e), // most reasons begin "the database cannot be used"
                    "Check that the database is running, that spring.datasource.url, username and password lead to it,"
                            + " that it has the schema of counterkit.jdbc.schema, and that the user may use the tables.",
                    e);
        }
    }

    private static String sentence(String start, RuntimeException e) {
        String reason = Reasons.of(e);
        return start + reason + (reason.endsWith(".") ? "" : ".");
    }

    private static ConfigurationException wrongTables(IllegalStateException e, String remedy) {
        return new ConfigurationException(
                sentence("The counters cannot use the database: ", e),
                remedy
                        + " If the tables are elsewhere, correct counterkit.jdbc.schema or"
                        + " counterkit.jdbc.table-prefix.",
                e);
    }

    private static ConfigurationException noDataSource(String... names) {
        return names.length == 0
                ? new ConfigurationException(
                        "The counters need a data source, and the application has none.",
                        "Add spring-boot-starter-jdbc and the driver of your database, and set spring.datasource.url.")
                : new ConfigurationException(
                        "The counters need one data source, and the application has " + names.length + ": "
                                + String.join(", ", names) + ".",
                        "Mark one of them with @Primary, or provide a bean JdbcCounterBackend that is created with"
                                + " the one that has the counters.");
    }

    static JdbcCounterOptions options(CounterKitProperties properties) {
        CounterKitProperties.Jdbc jdbc = properties.jdbc();
        JdbcCounterOptions.Builder options =
                JdbcCounterOptions.builder().createTables(jdbc.createTables()).notifications(jdbc.notifications());
        if (jdbc.schema() != null) {
            ConfigurationException.set("counterkit.jdbc.schema", jdbc.schema(), options::schema);
        }
        ConfigurationException.set("counterkit.jdbc.table-prefix", jdbc.tablePrefix(), options::tablePrefix);
        ConfigurationException.set("counterkit.jdbc.connections", jdbc.connections(), options::connections);
        ConfigurationException.set("counterkit.jdbc.purge-interval", jdbc.purgeInterval(), options::purgeInterval);
        ConfigurationException.set("counterkit.token-retention", properties.tokenRetention(), options::tokenRetention);
        return options.build();
    }
}
