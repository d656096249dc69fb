package io.counterkit.datastore;

import com.google.appengine.api.datastore.DatastoreFailureException;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceConfig;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Query;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A Datastore that fails each query for the newest number of a chain, as some stores do, so that tails are probed. */
final class WithoutTailQueries {
    private WithoutTailQueries() {}

    static DatastoreService service() {
        DatastoreService service = DatastoreServiceFactory.getDatastoreService(
                DatastoreServiceConfig.Builder.withDefaults().maxEntityGroupsPerRpc(1000));
        return (DatastoreService) Proxy.newProxyInstance(
                DatastoreService.class.getClassLoader(),
                new Class<?>[] {DatastoreService.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepare")
                            && arguments[arguments.length - 1] instanceof Query query
                            && query.getKind().endsWith("Entry")) {
                        throw new DatastoreFailureException("no queries for entries");
                    }
                    try {
                        return method.invoke(service, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
