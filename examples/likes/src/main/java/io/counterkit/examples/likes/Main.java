package io.counterkit.examples.likes;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code likes} command: starts the application and prints its address. */
@Command(
        name = "likes",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Likes and orders in the browser: an example of CounterKit.")
public final class Main implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "Where they are kept: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private StoreChoice store = StoreChoice.MEMORY;

    @Option(names = "--port", description = "Where to listen; 0 for any that is free. Default: ${DEFAULT-VALUE}.")
    private int port = 8080;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "With datastore: the directory that holds the data. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(System.getProperty("user.home"), ".counterkit", "likes");

    @Option(
            names = "--project",
            paramLabel = "ID",
            description = "With firestore: the project. Default: that of the environment; demo-likes on an emulator.")
    private @Nullable String project;

    @Option(
            names = "--emulator",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "HOST:PORT",
            description = "With firestore: an emulator instead; without an address one that is found or started.")
    private @Nullable String emulator;

    private Main() {}

    /** Runs until it is interrupted. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("likes: " + reason(e));
                    return 1;
                })
                .execute(arguments));
    }

    private static String reason(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null && cause instanceof com.google.inject.ProvisionException) {
            cause = cause.getCause();
        }
        return cause instanceof BindException
                ? "the port is taken; choose another with --port, or any that is free with --port 0"
                : String.valueOf(cause.getMessage());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Quiet.begin();
        Application application = Application.start(store.module(data, project, emulator), store.title(), port);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                application.close();
            } catch (RuntimeException e) {
                System.err.println("likes: " + reason(e));
            } finally {
                ended.countDown();
            }
        }));
        System.out.println(
                "likes: " + application.address() + " (" + store.name().toLowerCase(Locale.ROOT) + "; Ctrl-C ends it)");
        ended.await();
        return 0;
    }
}
