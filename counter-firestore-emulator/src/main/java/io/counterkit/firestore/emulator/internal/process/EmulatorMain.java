package io.counterkit.firestore.emulator.internal.process;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs the emulator in its own JVM until the parent JVM ends. The parent holds the other end of this JVM's standard
 * input. The operating system closes it when the parent ends, even by SIGKILL.
 */
final class EmulatorMain {
    private static final String EMULATOR = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";

    private EmulatorMain() {}

    /** Runs the emulator. The arguments are its jar and then its own arguments. */
    public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
        ignoreInterrupt();
        Thread watch = new Thread(EmulatorMain::haltWithParent, "parent-watch");
        watch.setDaemon(true);
        watch.start();

        // A separate class loader: the jar of this class may contain other versions of the emulator's classes.
        URL jar = Path.of(arguments[0]).toUri().toURL();
        @SuppressWarnings("resource") // open while the emulator runs
        ClassLoader loader = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
        loader.loadClass(EMULATOR).getMethod("main", String[].class).invoke(null, (Object) own);
    }

    /**
     * Ignores Ctrl-C, which the terminal sends to every process: the parent may need the emulator to finish its work.
     * Uses reflection since javac warns of {@code sun.misc.Signal}.
     */
    private static void ignoreInterrupt() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object interrupt = signal.getConstructor(String.class).newInstance("INT");
        signal.getMethod("handle", signal, handler)
                .invoke(null, interrupt, handler.getField("SIG_IGN").get(null));
    }

    private static void haltWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The parent sends nothing.
            }
        } catch (IOException e) {
            // The parent has ended.
        } finally {
            // Not exit: a shutdown hook may hang.
            Runtime.getRuntime().halt(0);
        }
    }
}
