package io.counterkit.datastore;

import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.dev.HighRepJobPolicy;

/**
 * The worst case of eventually consistent queries: no commit is ever applied, so that queries see nothing of an entity group
 * until a strong read applies it. Only names are applied by the first query, since no list would ever be complete
 * otherwise.
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
