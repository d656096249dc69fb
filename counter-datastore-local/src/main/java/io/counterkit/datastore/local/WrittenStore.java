package io.counterkit.datastore.local;

import com.google.appengine.tools.development.LocalRpcService;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Has the local Datastore write its file when it is told to, and puts that in place of the data. */
final class WrittenStore implements AtomicCommits.Written {
    private final DataDirectory directory;
    private final LocalRpcService store;
    private final Method persist;

    /**
     * @throws IllegalStateException if this version of the local Datastore cannot be told to
     */
    WrittenStore(DataDirectory directory) {
        this.directory = directory;
        store = LocalServiceTestHelper.getLocalService("datastore_v3");
        persist = persist(store.getClass());
    }

    /** It does this by itself at intervals and when it is stopped, and offers nothing to have it done now. */
    private static Method persist(Class<?> type) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Method method : declaring.getDeclaredMethods()) {
                if (method.getName().equals("persist") && method.getParameterCount() == 0) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        throw new IllegalStateException(
                type + " of this version of App Engine's stubs cannot write after each commit: use WHEN_CLOSED");
    }

    @Override
    public void write() {
        try {
            persist.invoke(store);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("the local Datastore could not write its file", e);
        }
        directory.keepCopy();
    }
}
