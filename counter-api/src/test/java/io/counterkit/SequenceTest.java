package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SequenceTest {
    private final ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
    private final Sequence invoices = Counters.over(backend).sequence("invoices");

    @Test
    void appendSendsItsArguments() {
        IdempotencyToken token = IdempotencyToken.of("order-1");
        invoices.append(Map.of("total", 5L));
        invoices.append(Map.of(), token);
        invoices.append(Change.UPDATED, "customer", Map.of());
        invoices.append(Change.REMOVED, "customer", Map.of(), token);

        assertThat(backend.appends().succeedAll())
                .extracting(Sent::requests)
                .containsExactly(
                        List.of(new AppendRequest(Change.ADDED, null, Map.of("total", 5L), null)),
                        List.of(new AppendRequest(Change.ADDED, null, Map.of(), token)),
                        List.of(new AppendRequest(Change.UPDATED, "customer", Map.of(), null)),
                        List.of(new AppendRequest(Change.REMOVED, "customer", Map.of(), token)));
    }

    @Test
    void nextReturnsTheNumber() {
        assertThat(invoices.next()).isEqualTo(1);
        assertThat(invoices.async().next()).isCompletedWithValue(2L);
    }

    @Test
    void waitingEntry_isACopy() {
        ScriptedBackend slow = ScriptedBackend.of(BatchLimits.ofWeight(5));
        byte[] scan = "scan".getBytes(StandardCharsets.UTF_8);
        Map<String, Object> fields = new HashMap<>(Map.of("scan", scan));
        CompletableFuture<Entry> unused =
                Counters.over(slow).sequence("invoices").async().append(fields);

        scan[0] = 'X';
        fields.put("more", 1L);

        Map<String, Object> sent = slow.appends().next().requests().get(0).fields();
        assertThat(sent).containsOnlyKeys("scan");
        assertThat((byte[]) sent.get("scan")).asString(StandardCharsets.UTF_8).isEqualTo("scan");
    }

    @Test
    void fieldsAreCheckedBeforeAnythingIsSent() {
        Map<String, Object> fields = Map.of("total", 5); // an Integer

        assertThatThrownBy(() -> invoices.append(fields)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invoices.append(Change.ADDED, "s", fields))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invoices.async().append(fields))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'total'")
                .hasMessageContaining("java.lang.Integer");
        backend.appends().assertNothingMore();
    }

    @Test
    void lastAndLiveCountAreThoseOfTheTail() {
        backend.others().answer("tail", new Tail(7, 3, null));

        assertThat(invoices.last()).isEqualTo(7);
        assertThat(invoices.liveCount()).isEqualTo(3);
    }

    @Test
    void partition_coversTheUsedNumbers() {
        backend.others().answer("tail", new Tail(7, 3, null));

        assertThat(invoices.partition(3))
                .containsExactly(new NumberRange(1, 3), new NumberRange(4, 5), new NumberRange(6, 7));
        assertThat(invoices.partition(1)).containsExactly(new NumberRange(1, 7));
        assertThat(invoices.partition(100)).hasSize(7);
    }

    @Test
    void partitionOfAnEmptySequenceIsEmpty() {
        assertThat(invoices.partition(3)).isEmpty();
    }

    @Test
    void partitionIntoFewerThanOnePart_isRefused() {
        for (int parts : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> invoices.partition(parts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(parts + " parts");
        }
        assertThat(backend.others().asked()).isEmpty();
    }
}
