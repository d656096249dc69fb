package io.counterkit.examples.likes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code likes} command: starts the application and prints its address. */
@Command(
        name = "likes",
        sortOptions = false,
        description = "Likes and orders in the browser: an example of CounterKit.",
        footerHeading = "%nExamples:%n",
        footer = {"  ./likes", "  ./likes --backend inmemory --port 0", "  ./likes --backend firestore --emulator"})
public final class Main implements Callable<Integer> {
    /** Loggers of the stores' clients. Held here, since the log manager forgets a logger without references. */
    private static final List<Logger> CLIENT_LOGGERS =
            List.of(Logger.getLogger("com.google"), Logger.getLogger("io.grpc"), Logger.getLogger("io.opentelemetry"));

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "sqlite",
            description = "The store: sqlite, inmemory, datastore or firestore. Default: ${DEFAULT-VALUE}.")
    private StoreChoice store = StoreChoice.SQLITE;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port; 0 for any free one. Default: ${DEFAULT-VALUE}.")
    private int port = 8080;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "With sqlite: the file that holds the data. Default: likes.db in your data directory.")
    private @Nullable Path file;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "With datastore: the directory that holds the data. Default: likes in your data directory.")
    private @Nullable Path data;

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

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean isHelpAsked;

    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    /** Runs until it is interrupted. */
    public static void main(String[] arguments) {
        System.exit(command().execute(arguments));
    }

    static CommandLine command() {
        Main main = new Main();
        return new CommandLine(main)
                .registerConverter(StoreChoice.class, StoreChoice::parse)
                .registerConverter(int.class, Main::parsePort)
                .setParameterExceptionHandler((e, words) -> {
                    String problem = e instanceof UnmatchedArgumentException unmatched
                            ? "unknown argument '" + unmatched.getUnmatched().get(0) + "'"
                            : String.valueOf(e.getMessage()).replaceFirst("^Invalid value for option '(--\\w+)'", "$1");
                    e.getCommandLine().getErr().println("likes: " + problem + "\nlikes: see ./likes --help");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    String reason = Failure.inWords(e, main.port);
                    command.getErr().println("likes: " + (reason == null ? "this is a defect of likes" : reason));
                    if (reason == null) {
                        e.printStackTrace(command.getErr());
                    }
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    private static int parsePort(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number from 0 to 65535");
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        if (System.getProperty("java.util.logging.config.file") == null) {
            CLIENT_LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
        }
        Path directory = (data == null ? DataDirectory.ofUser().resolve("likes") : data).toAbsolutePath();
        Path database = (file == null ? DataDirectory.ofUser().resolve("likes.db") : file).toAbsolutePath();
        Application application =
                Application.start(store.module(database, directory, project, emulator), store.title(), port);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                application.close();
            } catch (RuntimeException e) {
                String reason = Failure.inWords(e, port);
                System.err.println("likes: " + (reason == null ? e : reason));
            } finally {
                closed.countDown();
            }
        }));
        String where = switch (store) {
            case SQLITE -> " in " + database;
            case DATASTORE -> " in " + directory;
            case INMEMORY, FIRESTORE -> "";
        };
        System.out.println("likes: " + application.address() + " (" + store.option() + where + "; Ctrl-C ends it)");
        closed.await();
        return 0;
    }

    private void checkOptions() {
        refuseIf(port < 0 || port > 65_535, "--port " + port + ": use 0 to 65535");
        refuseUnlessStore(StoreChoice.SQLITE, "--file", file);
        refuseIf(file != null && Files.isDirectory(file), "--file " + file + " is a directory: name a file in it");
        refuseUnlessStore(StoreChoice.DATASTORE, "--data", data);
        refuseUnlessStore(StoreChoice.FIRESTORE, "--project", project);
        refuseUnlessStore(StoreChoice.FIRESTORE, "--emulator", emulator);
        refuseIf(project != null && project.isBlank(), "--project is empty: name a project, or leave the option out");
        refuseIf(
                emulator != null && !emulator.isEmpty() && !emulator.matches("\\S+:\\d{1,5}"),
                "--emulator " + emulator + ": use HOST:PORT, or no address to have one found or started");
    }

    private void refuseUnlessStore(StoreChoice needed, String option, @Nullable Object value) {
        refuseIf(
                value != null && store != needed,
                option + " belongs to --backend " + needed.option() + ", and this is --backend " + store.option()
                        + ": leave out one of the two");
    }

    private void refuseIf(boolean isWrong, String reason) {
        if (isWrong) {
            throw new ParameterException(Objects.requireNonNull(spec).commandLine(), reason);
        }
    }
}
