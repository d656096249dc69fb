package io.counterkit.datastore;

import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.dev.HighRepJobPolicy;

/**
 * The worst of eventually consistent queries: nothing that is committed is ever applied, so that queries see nothing of
 * an entity group until a strong read makes it catch up. Only the names catch up once a query has come by, for else no
 * list would ever be complete.
 */
public final class NeverAppliedUntilAskedAgain implements HighRepJobPolicy {
    @Override
    public boolean shouldApplyNewJob(Key entityGroup) {
        return false;
    }

    @Override
    public boolean shouldRollForwardExistingJob(Key entityGroup) {
        return entityGroup.getKind().endsWith("Name");
    }
}
