package io.counterkit.datastore.internal.client;

import com.google.appengine.api.NamespaceManager;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.appengine.api.datastore.Query;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.datastore.DatastoreSequenceOptions;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The namespace of everything that is stored. App Engine's API gives a key or a query the current namespace when it is
 * made, and the threads of one request share that. So it is changed just while something is made, never while the
 * store is called or the application's own code runs, and what was made is looked at: another thread may have changed
 * the namespace meanwhile.
 */
public record Namespace(String name) {
    private static final Object ONE_AT_A_TIME = new Object();

    /** That of the options, or else the current one. */
    public static Namespace of(DatastoreSequenceOptions options) {
        String chosen = options.namespace();
        if (chosen != null) {
            return new Namespace(chosen);
        }
        return new Namespace(ApiProxy.getCurrentEnvironment() == null ? "" : orDefault(NamespaceManager.get()));
    }

    private static String orDefault(@Nullable String current) {
        return current == null ? "" : current;
    }

    public Key key(String kind, String keyName) {
        return make(() -> KeyFactory.createKey(kind, keyName), Key::getNamespace);
    }

    public Query query(String kind) {
        return make(() -> new Query(kind), Query::getNamespace);
    }

    private <T> T make(Supplier<T> maker, Function<T, String> namespaceOf) {
        synchronized (ONE_AT_A_TIME) {
            T made = makeOnce(maker);
            while (!name.equals(namespaceOf.apply(made))) {
                made = makeOnce(maker);
            }
            return made;
        }
    }

    private <T> T makeOnce(Supplier<T> maker) {
        @Nullable String before = NamespaceManager.get();
        if (name.equals(orDefault(before))) {
            return maker.get();
        }
        NamespaceManager.set(name);
        try {
            return maker.get();
        } finally {
            if (name.equals(NamespaceManager.get())) {
                NamespaceManager.set(before);
            }
        }
    }
}
