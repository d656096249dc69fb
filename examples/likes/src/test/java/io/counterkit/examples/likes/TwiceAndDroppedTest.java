package io.counterkit.examples.likes;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Every request is sent twice, and every second reply is lost, between page and server and between server and store.
 */
class TwiceAndDroppedTest {
    private static final int CLICKS = 120;
    private static final int THREADS = 8;

    /** The pause between two attempts, so that clients that disconnect at once leave the server time for others. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final FakeStore fake = new FakeStore();
    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());

    @Test
    void everyClickCountsOnce() throws Exception {
        fake.store().faults().inject(Fault.LOSE_REPLY, Calls.all().withChance(0.2, new Random(seed)));
        fake.store().faults().inject(Fault.FAIL, Calls.all().withChance(0.1, new Random(seed + 1)));
        Map<String, Long> expected = new TreeMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
        try (Application application = Application.start(fake, "a fake", 0)) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < CLICKS; i++) {
                Random random = new Random(seed + 2 + i);
                String click = "click=" + UUID.randomUUID();
                Post post = Post.wall().get(i % Post.wall().size());
                boolean isOrder = i % 4 == 3;
                if (!isOrder) {
                    expected.merge(post.counter(), 1L, Long::sum);
                }
                String path = isOrder ? "/orders" : "/likes";
                String form = click + (isOrder ? "&item=Cocoa&quantity=1" : "&post=" + post.id());
                for (int twice = 0; twice < 2; twice++) {
                    Random own = new Random(random.nextLong());
                    sent.add(threads.submit(() -> sendUntilAnswered(application.address(), path, form, own)));
                }
            }
            for (Future<?> one : sent) {
                one.get(300, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(fake.store().dump().counters()).as("seed %d", seed).isEqualTo(expected);
        assertThat(fake.store().dump().sequences().get("orders"))
                .as("seed %d", seed)
                .extracting(Entry::number)
                .isEqualTo(LongStream.rangeClosed(1, CLICKS / 4).boxed().toList());
        assertThat(fake.store().dump().sequences().get("orders"))
                .extracting(Entry::subject)
                .doesNotHaveDuplicates();
    }

    private static void sendUntilAnswered(URI server, String path, String form, Random random) {
        boolean isAnswered = false;
        while (!isAnswered) {
            boolean isDropped = random.nextBoolean();
            isAnswered = send(server, path, form, isDropped).contains("\"APPLIED\"");
            if (!isAnswered) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Returns the reply; empty if the sender disconnects instead of waiting for it. */
    private static String send(URI server, String path, String form, boolean isDropped) {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            String request = "POST " + path + " HTTP/1.1\r\nHost: " + server.getRawAuthority()
                    + "\r\nAccept: application/json\r\nConnection: close\r\nContent-Length: " + form.length()
                    + "\r\n\r\n" + form;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return isDropped ? "" : new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
