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
 * The namespace of all stored data. App Engine's API gives a new key or query the current namespace, which all threads
 * of one request share. So this class changes the current namespace only while it creates a key or query, never while
 * the store or the application's code runs. It checks what it created, since another thread may have changed the
 * namespace meanwhile.
 */
public record Namespace(String name) {
    private static final Object LOCK = new Object();

    /** Returns the namespace of the options, or else the current one. */
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

    /** Creates the key of a root entity. */
    public Key key(String kind, String keyName) {
        return create(() -> KeyFactory.createKey(kind, keyName), Key::getNamespace);
    }

    /** Creates a query for a kind. */
    public Query query(String kind) {
        return create(() -> new Query(kind), Query::getNamespace);
    }

    private <T> T create(Supplier<T> creator, Function<T, String> namespaceOf) {
        synchronized (LOCK) {
            T created = createOnce(creator);
            while (!name.equals(namespaceOf.apply(created))) {
                created = createOnce(creator);
            }
            return created;
        }
    }

    private <T> T createOnce(Supplier<T> creator) {
        @Nullable String before = NamespaceManager.get();
        if (name.equals(orDefault(before))) {
            return creator.get();
        }
        NamespaceManager.set(name);
        try {
            return creator.get();
        } finally {
            if (name.equals(NamespaceManager.get())) {
                NamespaceManager.set(before);
            }
        }
    }
}
