package io.counterkit.benchmarks.datastore;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import java.util.Map;

/** An empty local Datastore of App Engine's stubs, until it is closed. */
record StubDatastore(LocalServiceTestHelper helper, Environment environment, LatencyModel calls)
        implements AutoCloseable {
    static StubDatastore open(Map<String, Long> millis, float unappliedPercentage) {
        LocalServiceTestHelper helper = new LocalServiceTestHelper(new LocalDatastoreServiceTestConfig()
                .setDefaultHighRepJobPolicyUnappliedJobPercentage(unappliedPercentage));
        helper.setUp();
        return new StubDatastore(helper, ApiProxy.getCurrentEnvironment(), LatencyModel.install(millis));
    }

    void enterThread() {
        ApiProxy.setEnvironmentForCurrentThread(environment);
    }

    @Override
    public void close() {
        helper.tearDown();
    }
}
