package io.counterkit.migration.guice;

import com.google.inject.Binding;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.PrivateModule;
import com.google.inject.Scope;
import com.google.inject.Scopes;
import com.google.inject.binder.LinkedBindingBuilder;
import com.google.inject.binder.ScopedBindingBuilder;
import com.google.inject.spi.BindingScopingVisitor;
import com.google.inject.spi.Element;
import com.google.inject.spi.Elements;
import com.google.inject.spi.InstanceBinding;
import com.google.inject.spi.LinkedKeyBinding;
import com.google.inject.spi.ProviderInstanceBinding;
import com.google.inject.spi.ProviderKeyBinding;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.spi.CounterBackend;
import jakarta.inject.Provider;
import java.lang.annotation.Annotation;

/**
 * Exposes only the {@link CounterBackend} of another module, under another key. A private module of Guice cannot bind a
 * key that is bound outside, such as {@link Counters} and {@link CountersOptions}. So these bindings are left out, and
 * the backend is bound to the new key.
 */
final class StoreModule extends PrivateModule {
    private static final Key<CounterBackend> BACKEND = Key.get(CounterBackend.class);

    private final Module module;
    private final Key<CounterBackend> exposed;

    StoreModule(Module module, Key<CounterBackend> exposed) {
        this.module = module;
        this.exposed = exposed;
    }

    @Override
    protected void configure() {
        boolean found = false;
        for (Element element : Elements.getElements(module)) {
            if (!(element instanceof Binding<?> binding)) {
                element.applyTo(binder());
            } else if (binding.getKey().equals(BACKEND)) {
                found = true;
                rebind(binding);
            } else if (!isBoundOutside(binding.getKey())) {
                binding.applyTo(binder());
            }
        }
        if (found) {
            expose(exposed);
        } else {
            addError("%s binds no CounterBackend to migrate from or to", module);
        }
    }

    private static boolean isBoundOutside(Key<?> key) {
        return key.getTypeLiteral().getRawType() == Counters.class
                || key.getTypeLiteral().toString().contains(CountersOptions.class.getName());
    }

    private void rebind(Binding<?> binding) {
        LinkedBindingBuilder<CounterBackend> builder =
                binder().withSource(binding.getSource()).bind(exposed);
        Object scope = binding.acceptScopingVisitor(new ScopeOf());
        ScopedBindingBuilder rebound = rebind(binding, builder);
        if (scope instanceof Scope given) {
            rebound.in(given);
        } else if (scope instanceof Class<?> annotation) {
            rebound.in(annotation.asSubclass(Annotation.class));
        }
    }

    private ScopedBindingBuilder rebind(Binding<?> binding, LinkedBindingBuilder<CounterBackend> builder) {
        if (binding instanceof LinkedKeyBinding<?> linked) {
            return builder.to(backend(linked.getLinkedKey()));
        }
        if (binding instanceof ProviderKeyBinding<?> provided) {
            return builder.toProvider(providerKey(provided.getProviderKey()));
        }
        if (binding instanceof ProviderInstanceBinding<?> provided) {
            return builder.toProvider(provider(provided.getUserSuppliedProvider()));
        }
        if (binding instanceof InstanceBinding<?> instance) {
            return builder.toProvider(() -> (CounterBackend) instance.getInstance());
        }
        throw new IllegalArgumentException("the CounterBackend is bound in a way that cannot be exposed: " + binding
                + "; bind it to a class, an instance or a provider");
    }

    @SuppressWarnings("unchecked") // the key is linked to by a CounterBackend
    private static Key<? extends CounterBackend> backend(Key<?> key) {
        return (Key<? extends CounterBackend>) key;
    }

    @SuppressWarnings("unchecked") // the binding provides a CounterBackend
    private static Key<? extends Provider<CounterBackend>> providerKey(Key<?> key) {
        return (Key<? extends Provider<CounterBackend>>) key;
    }

    @SuppressWarnings("unchecked") // the binding provides a CounterBackend
    private static Provider<CounterBackend> provider(Provider<?> provider) {
        return (Provider<CounterBackend>) provider;
    }

    /** Returns the scope or its annotation; an empty string if there is none. */
    private static final class ScopeOf implements BindingScopingVisitor<Object> {
        @Override
        public Object visitEagerSingleton() {
            return Scopes.SINGLETON;
        }

        @Override
        public Object visitScope(Scope scope) {
            return scope;
        }

        @Override
        public Object visitScopeAnnotation(Class<? extends Annotation> annotation) {
            return annotation;
        }

        @Override
        public Object visitNoScoping() {
            return "";
        }
    }
}
