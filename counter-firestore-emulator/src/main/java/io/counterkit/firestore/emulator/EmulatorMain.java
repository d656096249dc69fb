package io.counterkit.firestore.emulator;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What the emulator's JVM runs: the emulator, until the JVM that started it is gone. That one holds the other end of this
 * one's standard input, and the operating system closes it however that JVM ends, by SIGKILL too.
 */
final class EmulatorMain {
    private static final String EMULATOR = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";

    private EmulatorMain() {}

    /** The emulator's jar, and then the emulator's own arguments. */
    public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
        Thread watch = new Thread(EmulatorMain::haltWithParent, "parent-watch");
        watch.setDaemon(true);
        watch.start();

        // A class loader of its own: this class may come from a jar that holds other versions of what the emulator
        // holds.
        URL jar = Path.of(arguments[0]).toUri().toURL();
        @SuppressWarnings("resource") // open as long as the emulator runs
        ClassLoader loader = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
        loader.loadClass(EMULATOR).getMethod("main", String[].class).invoke(null, (Object) own);
    }

    private static void haltWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever sent.
            }
        } catch (IOException e) {
            // As good as the end of the file.
        } finally {
            // Not exit: a hook that hangs must not keep it alive.
            Runtime.getRuntime().halt(0);
        }
    }
}
