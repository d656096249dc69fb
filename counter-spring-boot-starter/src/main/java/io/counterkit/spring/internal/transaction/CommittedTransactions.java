package io.counterkit.spring.internal.transaction;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Records the transactions that were committed, until their callbacks have run. The callbacks still find Spring's flags
 * and the connection of the transaction, but a pool may roll back their changes. Listens to each transaction manager of
 * the application's context and of its parents. Thread-safe.
 */
public final class CommittedTransactions implements BeanPostProcessor, SmartInitializingSingleton {
    /** Spring's connection holders of these transactions; each transaction has its own. */
    private final Set<Object> committed = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Listener listener = new Listener(committed);
    private final ConfigurableListableBeanFactory beans;

    /** Creates an empty record, for the managers among {@code beans}. */
    public CommittedTransactions(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns whether a transaction was committed, or its commit has failed.
     *
     * @param connection the resource that Spring keeps on this thread for the data source; null if there is none
     */
    boolean contains(@Nullable Object connection) {
        return committed.contains(connection);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager
                && !manager.getTransactionExecutionListeners().contains(listener)) {
            manager.addListener(listener);
        }
        return bean;
    }

    /** Finds the managers that existed before: those of a parent, and those that another post-processor needs. */
    @Override
    public void afterSingletonsInstantiated() {
        BeanFactory context = beans;
        while (context instanceof ConfigurableListableBeanFactory factory) {
            for (String name : factory.getBeanNamesForType(ConfigurableTransactionManager.class, false, false)) {
                if (factory.containsSingleton(name)) {
                    postProcessAfterInitialization(factory.getBean(name), name);
                }
            }
            context = factory.getParentBeanFactory();
        }
    }

    /**
     * Not a bean, since an application may have a bean of this type. Managers of a parent context keep the listener, so
     * it does not keep this context.
     */
    private static final class Listener implements TransactionExecutionListener {
        private final Set<Object> committed;

        Listener(Set<Object> committed) {
            this.committed = committed;
        }

        /** Runs after all callbacks before the commit. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            ConnectionHolder connection = connection(transaction);
            if (connection != null) {
                committed.add(connection);
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            committed.remove(connection(transaction));
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            committed.remove(connection(transaction));
        }

        private static @Nullable ConnectionHolder connection(TransactionExecution transaction) {
            return transaction.isNewTransaction()
                            && transaction instanceof DefaultTransactionStatus status
                            && status.hasTransaction()
                            && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
                            && jdbc.hasConnectionHolder()
                    ? jdbc.getConnectionHolder()
                    : null;
        }
    }
}
