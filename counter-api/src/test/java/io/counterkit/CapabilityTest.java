package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.Capability;
import java.util.EnumSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the refusal of capabilities that a backend does not declare. */
class CapabilityTest {
    private final ScriptedBackend backend = ScriptedBackend.capableOf(Set.of(Capability.TOP));
    private final Counters counters = Counters.over(backend);

    @Test
    void undeclaredCapability_isRefusedByName() {
        Counter likes = counters.counter("likes");
        Sequence invoices = counters.sequence("invoices");

        refuses(() -> likes.seal("new"), "seal counters");
        refuses(() -> likes.async().seal("new"), "seal counters");
        refuses(() -> invoices.seal("new"), "seal sequences");
        refuses(() -> invoices.async().seal("new"), "seal sequences");

        assertThat(backend.others().asked()).isEmpty();
    }

    @Test
    void undeclaredTop_isRefusedByName() {
        ScriptedBackend sealing = ScriptedBackend.capableOf(Set.of(Capability.SEAL_COUNTERS));
        Counters ofSealing = Counters.over(sealing);

        refuses(() -> ofSealing.top("", 1), "list the largest counters");
        refuses(() -> ofSealing.async().top("", 1), "list the largest counters");
        assertThat(ofSealing.counter("likes").seal("new").forward()).isEqualTo("new");

        assertThat(sealing.others().asked()).containsExactly("sealCounter likes new");
    }

    @Test
    void declaredCapability_isUsed() {
        assertThat(counters.top("a", 3)).isEmpty();

        assertThat(backend.others().asked()).containsExactly("top a 3");
    }

    @Test
    void capabilities_areReadOnceAndImmutable() {
        Set<Capability> declared = EnumSet.of(Capability.TOP);
        Counters over = Counters.over(ScriptedBackend.capableOf(declared));

        declared.add(Capability.SEAL_COUNTERS);

        assertThat(over.capabilities()).containsExactly(Capability.TOP);
        assertThatThrownBy(() -> over.capabilities().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> over.counter("likes").seal("new")).isInstanceOf(UnsupportedOperationException.class);
    }

    private static void refuses(ThrowingCallable call, String ability) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("the store of these counters cannot " + ability + ": use a backend that can");
    }
}
