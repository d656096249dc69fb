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

/** An emulator, through the API's remote configuration, of which a process has one; with a count of its requests. */
record EmulatorTarget(LongAdder requests) {
    static EmulatorTarget connect(String hostAndPort) {
        CloudDatastoreRemoteServiceConfig.setConfig(CloudDatastoreRemoteServiceConfig.builder()
                .appId(AppId.create(Location.US_CENTRAL, "demo-counterkit"))
                .emulatorHost(hostAndPort)
                .build());
        EmulatorTarget target = new EmulatorTarget(new LongAdder());
        ProxySelector.setDefault(new RequestCounter(target.requests));
        return target;
    }

    /** The JDK's HTTP client, which the API uses, asks for a proxy before each request: the cheapest place to count. */
    private static final class RequestCounter extends ProxySelector {
        private final LongAdder requests;

        RequestCounter(LongAdder requests) {
            this.requests = requests;
        }

        @Override
        public List<Proxy> select(URI uri) {
            requests.increment();
            return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    }
}
