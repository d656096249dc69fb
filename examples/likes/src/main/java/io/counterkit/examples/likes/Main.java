package io.counterkit.examples.likes;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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
            defaultValue = "memory",
            converter = StoreConverter.class,
            description = "Where they are kept: memory, datastore or firestore. Default: ${DEFAULT-VALUE}.")
    private StoreChoice store = StoreChoice.MEMORY;

    @Option(names = "--port", description = "Where to listen; 0 for any that is free. Default: ${DEFAULT-VALUE}.")
    private int port = 8080;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "With datastore: the directory that holds the data. Default: ~/.counterkit/likes.")
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

    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    /** Runs until it is interrupted. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setParameterExceptionHandler((e, words) -> {
                    PrintWriter err = e.getCommandLine().getErr();
                    err.println("likes: " + e.getMessage());
                    err.println("likes: see ./likes --help");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    String reason = Failure.inWords(e);
                    command.getErr().println("likes: " + (reason == null ? "this is a defect of likes" : reason));
                    if (reason == null) {
                        e.printStackTrace(command.getErr());
                    }
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Quiet.begin();
        Path directory = data == null ? Path.of(System.getProperty("user.home"), ".counterkit", "likes") : data;
        Application application = Application.start(store.module(directory, project, emulator), store.title(), port);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                application.close();
            } catch (RuntimeException e) {
                String reason = Failure.inWords(e);
                System.err.println("likes: " + (reason == null ? e : reason));
            } finally {
                ended.countDown();
            }
        }));
        System.out.println("likes: " + application.address() + " (" + store.option() + "; Ctrl-C ends it)");
        ended.await();
        return 0;
    }

    /** An option that would be ignored is a mistake. */
    private void check() {
        refuse(port < 0 || port > 65_535, "--port " + port + ": use 0 to 65535");
        needs(StoreChoice.DATASTORE, "--data", data);
        needs(StoreChoice.FIRESTORE, "--project", project);
        needs(StoreChoice.FIRESTORE, "--emulator", emulator);
        refuse(project != null && project.isBlank(), "--project is empty: name a project, or leave the option out");
        refuse(
                emulator != null && !emulator.isEmpty() && !emulator.matches("\\S+:\\d{1,5}"),
                "--emulator " + emulator + ": use HOST:PORT, or no address to have one found or started");
    }

    private void needs(StoreChoice needed, String option, @Nullable Object value) {
        refuse(
                value != null && store != needed,
                option + " belongs to --store " + needed.option() + ", and this is --store " + store.option()
                        + ": leave out one of the two");
    }

    private void refuse(boolean isWrong, String why) {
        if (isWrong) {
            throw new ParameterException(Objects.requireNonNull(spec).commandLine(), why);
        }
    }

    /** Reads the name of a store. */
    static final class StoreConverter implements ITypeConverter<StoreChoice> {
        @Override
        public StoreChoice convert(String word) {
            StoreChoice choice = StoreChoice.of(word);
            if (choice == null) {
                throw new TypeConversionException("'" + word + "': use memory, datastore or firestore");
            }
            return choice;
        }
    }
}
