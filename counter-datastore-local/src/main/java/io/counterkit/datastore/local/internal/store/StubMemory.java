package io.counterkit.datastore.local.internal.store;

import com.google.appengine.tools.development.LocalRpcService;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of App Engine's local Datastore. Reads it from a stream, copies it to a stream, and counts its changes.
 * The stub would read its file without a filter, and does not report its writes. So the stub runs without a file, and
 * this class accesses its private fields.
 *
 * <p>Callers hold the monitor of this object while the stub executes a call, so that a copy contains no half-applied
 * change.
 */
public final class StubMemory {
    /** The stub's own format. Directories of the first version contain it without a checksum. */
    private static final long FORMAT = -2;

    private static final String PROFILE = "com.google.appengine.api.datastore.dev.LocalDatastoreService$Profile";
    private static final String EXTENT = "com.google.appengine.api.datastore.dev.LocalDatastoreService$Extent";

    /** Accepts only what the stub writes. Strings and byte arrays pass any filter. */
    private static final ObjectInputFilter FILTER = ObjectInputFilter.Config.createFilter(
            "maxdepth=8;" + PROFILE + ";" + EXTENT
                    + ";java.util.Collections$SynchronizedMap;java.util.HashMap;java.util.Map$Entry;java.lang.Object;!*");

    private final LocalRpcService stub;
    private final Map<String, Object> profiles;
    private final AtomicLong sequentialIds;
    private final AtomicLong scatteredIds;
    private final Field dirty;
    private final Set<Object> stoppedAtShutdown;
    private final Method setAppId;
    private long changes;

    /**
     * Creates the memory of a stub that was started without a file.
     *
     * @throws IllegalStateException if this version of the stub has other fields
     */
    @SuppressWarnings("unchecked")
    public StubMemory(LocalRpcService stub) {
        this.stub = stub;
        try {
            Class<?> type = stub.getClass().getSuperclass();
            profiles = (Map<String, Object>) field(type, "profiles").get(stub);
            sequentialIds = (AtomicLong) field(type, "entityIdSequential").get(stub);
            scatteredIds = (AtomicLong) field(type, "entityIdScattered").get(stub);
            dirty = field(type, "dirty");
            stoppedAtShutdown = (Set<Object>) field(type, "activeServices").get(null);
            setAppId = Class.forName(PROFILE, false, type.getClassLoader()).getDeclaredMethod("setAppId", String.class);
            setAppId.setAccessible(true);
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException(
                    "the local Datastore of this version of App Engine's stubs cannot be kept in a directory:"
                            + " use version 4.0.2 of appengine-api-stubs",
                    e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /**
     * Keeps the stub running while the JVM shuts down. Otherwise the stub would drop its data while other threads still
     * read and write it.
     */
    public void keepThroughShutdown() {
        stoppedAtShutdown.remove(stub);
    }

    /** Undoes {@link #keepThroughShutdown}. */
    public void allowShutdown() {
        stoppedAtShutdown.add(stub);
    }

    /**
     * Reads the memory from a stream.
     *
     * @throws IOException if the stream is not in the stub's format; the memory is unchanged then
     */
    synchronized void read(ObjectInputStream in) throws IOException {
        in.setObjectInputFilter(FILTER);
        if (in.readLong() != FORMAT) {
            throw new IOException("of another format");
        }
        long sequential = in.readLong();
        long scattered = in.readLong();
        try {
            Map<?, ?> read = (Map<?, ?>) in.readObject();
            for (Map.Entry<?, ?> profile : read.entrySet()) {
                setAppId.invoke(profile.getValue(), (String) profile.getKey());
            }
            read.forEach((app, profile) -> profiles.put((String) app, profile));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IOException("of another format", e);
        }
        sequentialIds.set(sequential);
        scatteredIds.set(scattered);
    }

    /** Copies the memory to a stream; returns the number of the last change in it. */
    synchronized long copyTo(OutputStream target) throws IOException {
        ObjectOutputStream out = new ObjectOutputStream(target);
        out.writeLong(FORMAT);
        out.writeLong(sequentialIds.get());
        out.writeLong(scatteredIds.get());
        out.writeObject(profiles);
        out.flush();
        return changes;
    }

    /** Returns the number of the last change, one more than at the last call if the stub changed anything since. */
    synchronized long changes() {
        try {
            if (dirty.getBoolean(stub)) {
                dirty.setBoolean(stub, false);
                changes++;
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError("the field was made accessible", e);
        }
        return changes;
    }
}
