package io.counterkit.benchmarks.datastore;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import java.util.Map;

/** App Engine's local Datastore, empty, until it is closed. */
record LocalDatastore(LocalServiceTestHelper helper, Environment environment, SlowDelegate delegate)
        implements AutoCloseable {
    static LocalDatastore open(Map<String, Long> millis, float unappliedPercentage) {
        LocalServiceTestHelper helper = new LocalServiceTestHelper(new LocalDatastoreServiceTestConfig()
                .setDefaultHighRepJobPolicyUnappliedJobPercentage(unappliedPercentage));
        helper.setUp();
        return new LocalDatastore(helper, ApiProxy.getCurrentEnvironment(), SlowDelegate.install(millis));
    }

    void enterThread() {
        ApiProxy.setEnvironmentForCurrentThread(environment);
    }

    @Override
    public void close() {
        helper.tearDown();
    }
}
