package io.counterkit.benchmarks.datastore;

import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId.Location;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** An emulator, at most one in a process, and the count of its requests. */
record EmulatorTarget(LongAdder requests) {
    /** Connects App Engine's API by its remote configuration. */
    static EmulatorTarget connect(String hostAndPort) {
        CloudDatastoreRemoteServiceConfig.setConfig(CloudDatastoreRemoteServiceConfig.builder()
                .appId(AppId.create(Location.US_CENTRAL, "demo-counterkit"))
                .emulatorHost(hostAndPort)
                .build());
        return counting();
    }

    /** Counts the requests of this process. */
    static EmulatorTarget counting() {
        EmulatorTarget target = new EmulatorTarget(new LongAdder());
        // Both clients use the JDK's HTTP client, which selects a proxy before each request.
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                target.requests.increment();
                return List.of(Proxy.NO_PROXY);
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
        return target;
    }
}
