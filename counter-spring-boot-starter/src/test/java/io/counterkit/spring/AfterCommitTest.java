package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counters;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Callbacks after a commit: those of a synchronization, and those of {@code @TransactionalEventListener}, which run
 * later.
 */
class AfterCommitTest {
    private final String name = Application.randomName();

    @TempDir
    private Path directory;

    private static TransactionTemplate transaction(ApplicationContext context, int propagation) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static void afterCommit(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                callback.run();
            }
        });
    }

    /** A pool without autocommit would roll this change back, and the application would not know. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void useAfterTheCommit_isRefused_butNotInATransactionOfItsOwn(boolean autoCommit) {
        Application.countingOn(directory)
                .withPropertyValues("spring.datasource.hikari.auto-commit=" + autoCommit)
                .run(context -> {
                    CounterTransactions transactions = context.getBean(CounterTransactions.class);
                    TransactionTemplate own = transaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                    List<Throwable> refusals = new ArrayList<>();
                    Runnable refused = () -> refusals.add(catchThrowable(transactions::current));
                    transaction(context, TransactionDefinition.PROPAGATION_REQUIRED)
                            .executeWithoutResult(status -> {
                                afterCommit(refused);
                                afterCommit(() -> own.executeWithoutResult(inner -> {
                                    transactions.current().add(name, 10);
                                    afterCommit(refused);
                                }));
                                afterCommit(refused);
                                transactions.current().add(name, 1);
                            });
                    assertThat(refusals)
                            .hasSize(3)
                            .allSatisfy(refusal -> assertThat(refusal)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("was committed already"));
                    own.executeWithoutResult(status -> transactions.current().add(name, 100));
                    assertThat(context.getBean(Counters.class).counter(name).get())
                            .isEqualTo(111);
                });
    }

    private record Placed(Runnable callback) {}

    static class Listener {
        @TransactionalEventListener
        void listen(Placed event) {
            event.callback().run();
        }
    }

    @Test
    void listenerAfterTheCommit_countsInATransactionOfItsOwnOnly() {
        Application.countingOn(directory).withBean(Listener.class).run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("CREATE TABLE mails (id INTEGER)");
            TransactionTemplate joining = transaction(context, TransactionDefinition.PROPAGATION_REQUIRED);
            TransactionTemplate own = transaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            List<Throwable> failures = new ArrayList<>();
            List<Runnable> callbacks = List.of(
                    () -> own.executeWithoutResult(
                            status -> transactions.current().add(name, 10)),
                    () -> joining.executeWithoutResult(status -> transactions.current()),
                    () -> own.executeWithoutResult(status -> jdbc.update("INSERT INTO mails VALUES (1)")),
                    () -> own.executeWithoutResult(
                            status -> transactions.current().add(name, 100)));
            joining.executeWithoutResult(status -> {
                callbacks.forEach(callback ->
                        context.publishEvent(new Placed(() -> failures.add(catchThrowable(callback::run)))));
                transactions.current().add(name, 1);
            });
            assertThat(failures).hasSize(4);
            assertThat(failures.remove(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was committed already");
            assertThat(failures).containsOnlyNulls();
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(111);
            assertThat(jdbc.queryForObject("SELECT count(*) FROM mails", Integer.class))
                    .isOne();
        });
    }

    @Test
    void managerOfTheApplication_isListenedTo() {
        Application.countingOn(directory)
                .withBean(
                        "own",
                        DataSourceTransactionManager.class,
                        DataSourceTransactionManager::new,
                        definition -> ((AbstractBeanDefinition) definition)
                                .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_BY_TYPE))
                .run(AfterCommitTest::assertIsRefusedAfterTheCommit);
    }

    private static void assertIsRefusedAfterTheCommit(ApplicationContext context) {
        CounterTransactions transactions = context.getBean(CounterTransactions.class);
        List<Throwable> refusals = new ArrayList<>();
        transaction(context, TransactionDefinition.PROPAGATION_REQUIRED)
                .executeWithoutResult(status -> afterCommit(() -> refusals.add(catchThrowable(transactions::current))));
        assertThat(refusals).singleElement().isInstanceOf(IllegalStateException.class);
    }

    /** Spring creates what it needs before other post-processors. */
    static class EarlyPostProcessor implements BeanPostProcessor, Ordered {
        EarlyPostProcessor(PlatformTransactionManager manager) {
            Objects.requireNonNull(manager);
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Test
    void managerThatAPostProcessorNeeds_isListenedTo() {
        Application.countingOn(directory)
                .withBean(EarlyPostProcessor.class)
                .run(AfterCommitTest::assertIsRefusedAfterTheCommit);
    }

    @Test
    void managerOfAParentContext_isListenedTo() {
        Application.on(directory)
                .withPropertyValues("counterkit.backend=inmemory")
                .run(parent -> Application.countingOn(directory)
                        .withParent(parent)
                        .withBean(
                                JdbcCounterBackend.class,
                                () -> JdbcCounterBackend.create(
                                        parent.getBean(DataSource.class),
                                        JdbcCounterOptions.builder()
                                                .createTables(true)
                                                .build()))
                        .run(AfterCommitTest::assertIsRefusedAfterTheCommit));
    }

    /** Otherwise a parent would call one more listener for each child that it ever had. */
    @Test
    void childThatUsesTheCountersOfItsParent_addsNoListener() {
        Application.countingOn(directory).run(parent -> {
            int listeners = listeners(parent);
            Application.countingOn(directory)
                    .withParent(parent)
                    .run(child -> assertThat(child.getBean(Counters.class)).isSameAs(parent.getBean(Counters.class)));
            assertThat(listeners(parent)).isEqualTo(listeners);
        });
    }

    private static int listeners(ApplicationContext context) {
        return context.getBean(ConfigurableTransactionManager.class)
                .getTransactionExecutionListeners()
                .size();
    }
}
