package io.counterkit.spring;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Sequence;
import io.counterkit.spi.Reasons;
import java.util.Map;
import java.util.function.BiFunction;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
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
    private static final Bindable<Map<String, String>> NAMES = Bindable.mapOf(String.class, String.class);

    private final Environment environment;
    private final BeanFactory beans;

    NamedBeans(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        register(registry, "counterkit.counters", Counter.class, Counters::counter);
        register(registry, "counterkit.sequences", Sequence.class, Counters::sequence);
    }

    private <T> void register(
            BeanDefinitionRegistry registry, String property, Class<T> type, BiFunction<Counters, String, T> open) {
        Binder.get(environment).bind(property, NAMES).orElseGet(Map::of).forEach((qualifier, name) -> {
            String own = property + "." + qualifier;
            RootBeanDefinition bean = new RootBeanDefinition(type, () -> open(own, name, open));
            bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, qualifier));
            registry.registerBeanDefinition(own, bean);
        });
    }

    private <T> T open(String property, String name, BiFunction<Counters, String, T> open) {
        try {
            return open.apply(beans.getBean(Counters.class), name);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    property + " cannot be used: " + Reasons.of(e) + ".", "Correct the value of " + property + ".", e);
        }
    }
}
