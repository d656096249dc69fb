package io.counterkit.spring.autoconfigure;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Sequence;
import java.util.Map;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each counter and sequence that the properties name. With {@code
 * counterkit.counters.likes=posts/42/likes}, {@code @Qualifier("likes") Counter} is the counter {@code posts/42/likes}.
 */
final class NamedBeans implements ImportBeanDefinitionRegistrar {
    private static final String COUNTERS = "counterkit.counters";
    private static final String SEQUENCES = "counterkit.sequences";
    private static final String NAMES = "counterkit.names";

    private final Environment environment;

    NamedBeans(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        RootBeanDefinition names = new RootBeanDefinition(Names.class);
        names.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        registry.registerBeanDefinition(NAMES, names);
        register(registry, COUNTERS, "counter");
        register(registry, SEQUENCES, "sequence");
    }

    /** Registers beans that a method creates, since code that is generated ahead of time cannot contain a lambda. */
    private void register(BeanDefinitionRegistry registry, String property, String method) {
        for (String qualifier : names(environment, property).keySet()) {
            RootBeanDefinition bean = new RootBeanDefinition();
            bean.setFactoryBeanName(NAMES);
            bean.setFactoryMethodName(method);
            bean.getConstructorArgumentValues().addGenericArgumentValue(qualifier);
            bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, qualifier));
            registry.registerBeanDefinition(property + "." + qualifier, bean);
        }
    }

    private static Map<String, String> names(Environment environment, String property) {
        return Binder.get(environment)
                .bind(property, Bindable.mapOf(String.class, String.class))
                .orElseGet(Map::of);
    }

    /** Opens the counters and sequences that the properties name. */
    static final class Names {
        private final Environment environment;
        private final ObjectProvider<Counters> counters;

        Names(Environment environment, ObjectProvider<Counters> counters) {
            this.environment = environment;
            this.counters = counters;
        }

        Counter counter(String qualifier) {
            return open(COUNTERS, qualifier, name -> counters.getObject().counter(name));
        }

        Sequence sequence(String qualifier) {
            return open(SEQUENCES, qualifier, name -> counters.getObject().sequence(name));
        }

        private <T> T open(String property, String qualifier, Function<String, T> open) {
            String own = property + "." + qualifier;
            try {
                return open.apply(String.valueOf(names(environment, property).get(qualifier)));
            } catch (IllegalArgumentException e) {
                throw ConfigurationException.of(own, e);
            }
        }
    }
}
