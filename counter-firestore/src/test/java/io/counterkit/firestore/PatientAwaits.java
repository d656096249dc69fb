package io.counterkit.firestore;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets Awaitility's default timeout to one minute: on a busy machine its own ten seconds may pass before the first call of
 * a client. Public, since JUnit loads it as a service.
 */
public final class PatientAwaits implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}
