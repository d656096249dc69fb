package io.counterkit.benchmarks.datastore;

import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId.Location;
import java.util.concurrent.atomic.AtomicBoolean;

/** An emulator, through the API's remote configuration, of which a process has one. */
final class EmulatorTarget {
    private static final AtomicBoolean CONNECTED = new AtomicBoolean();

    private EmulatorTarget() {}

    static void connect(String hostAndPort) {
        if (!CONNECTED.getAndSet(true)) {
            CloudDatastoreRemoteServiceConfig.setConfig(CloudDatastoreRemoteServiceConfig.builder()
                    .appId(AppId.create(Location.US_CENTRAL, "demo-counterkit"))
                    .emulatorHost(hostAndPort)
                    .build());
        }
    }
}
