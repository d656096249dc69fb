package io.counterkit.datastore.contract;

import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId;
import com.google.appengine.api.datastore.CloudDatastoreRemoteServiceConfig.AppId.Location;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Sequence;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A JVM that appends to a sequence on an emulator with several threads, and prints the numbers. */
final class AppendingProcess {
    /** The entries of each process. */
    static final int APPENDS = 40;

    private static final int THREADS = 4;
    private static final String READY = "ready";

    /** Kept, since an unreferenced logger loses its level. */
    private static final Logger API = Logger.getLogger("com.google.appengine");

    private AppendingProcess() {}

    /** The output of a process. */
    record Report(List<Long> numbers, long retries) {}

    /** Starts processes, lets them append at the same time, and waits for them. */
    static List<Report> runAtOnce(int count, String hostAndPort, String sequence)
            throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                processes.add(start(hostAndPort, sequence));
            }
            List<BufferedReader> outputs = new ArrayList<>();
            for (Process process : processes) {
                BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
                outputs.add(output);
                if (!READY.equals(output.readLine())) {
                    throw new IOException("a process did not begin");
                }
            }
            for (Process process : processes) {
                process.outputWriter(StandardCharsets.UTF_8).append('\n').close();
            }
            List<Report> reports = new ArrayList<>();
            for (BufferedReader output : outputs) {
                reports.add(report(output.lines().toList()));
            }
            return reports;
        } finally {
            for (Process process : processes) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private static Process start(String hostAndPort, String sequence) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AppendingProcess.class.getName(),
                        hostAndPort,
                        sequence)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Report report(List<String> lines) throws IOException {
        if (lines.size() != APPENDS + 1) {
            throw new IOException("a process said " + lines);
        }
        return new Report(
                lines.subList(0, APPENDS).stream().map(Long::valueOf).toList(), Long.parseLong(lines.get(APPENDS)));
    }

    public static void main(String[] args) {
        try {
            run(args[0], args[1]);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0); // the API's own threads do not end
    }

    private static void run(String hostAndPort, String name) throws Exception {
        API.setLevel(Level.WARNING);
        CloudDatastoreRemoteServiceConfig.setConfig(CloudDatastoreRemoteServiceConfig.builder()
                .appId(AppId.create(Location.US_CENTRAL, "demo-counterkit"))
                .emulatorHost(hostAndPort)
                .build());
        AtomicInteger retries = new AtomicInteger();
        Counters counters = Counters.over(
                DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults()),
                CountersOptions.builder()
                        .deadline(Duration.ofMinutes(2))
                        .listener(new CountersListener() {
                            @Override
                            public void onConflict(String name) {
                                retries.incrementAndGet();
                            }

                            @Override
                            public void onRetry(Throwable cause) {
                                retries.incrementAndGet();
                            }
                        })
                        .build());
        System.out.println(READY);
        int unused = System.in.read();
        appendAll(counters.sequence(name)).forEach(System.out::println);
        System.out.println(retries);
    }

    private static ConcurrentLinkedQueue<Long> appendAll(Sequence sequence) throws Exception {
        ConcurrentLinkedQueue<Long> numbers = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String worker = ProcessHandle.current().pid() + "/" + thread + "/";
            running.add(threads.submit(() -> {
                for (int i = 0; i < APPENDS / THREADS; i++) {
                    numbers.add(sequence.append(Map.of("work", worker + i)).number());
                }
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        return numbers;
    }
}
