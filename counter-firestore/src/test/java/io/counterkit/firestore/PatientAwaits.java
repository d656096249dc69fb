package io.counterkit.firestore;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives what tests wait for a minute unless they say otherwise: on a busy machine ten seconds, Awaitility's own default, may
 * pass before the first call of a client. Public, since JUnit finds it as a service.
 */
public final class PatientAwaits implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}
