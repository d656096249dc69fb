package io.counterkit.firestore.stamp;

import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.internal.lane.StampedAdds;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Copies what a process knows of the shards that it writes, as a copy of its memory in another process has it. */
public final class StampClones {
    private StampClones() {}

    public static void copyLanes(FirestoreCounterBackend from, FirestoreCounterBackend to) {
        try {
            Object source = cache(from);
            Object target = cache(to);
            Map<Object, Object> copies = new LinkedHashMap<>();
            synchronized (source) {
                for (Map.Entry<?, ?> entry : map(source).entrySet()) {
                    synchronized (entry.getValue()) {
                        copies.put(entry.getKey(), copy(entry.getValue()));
                    }
                }
            }
            synchronized (target) {
                map(target).putAll(copies);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static Object cache(FirestoreCounterBackend backend) throws ReflectiveOperationException {
        Object adds = get(get(backend, "counters"), "adds");
        Object stamped = adds instanceof StampedAdds ? adds : get(adds, "adds"); // of AdaptiveShards
        return get(get(stamped, "lanes"), "counters");
    }

    @SuppressWarnings("unchecked")
    private static Map<Object, Object> map(Object cache) throws ReflectiveOperationException {
        return (Map<Object, Object>) get(cache, "entries");
    }

    private static Object get(Object of, String field) throws ReflectiveOperationException {
        Field found = of.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(of);
    }

    /** Copies the lanes of a counter; one that a commit has taken is free in the copy. */
    private static Object copy(Object ofCounter) throws ReflectiveOperationException {
        Object copy = shallow(ofCounter);
        Map<Object, Object> lanes = new HashMap<>();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) get(ofCounter, "lanes")).entrySet()) {
            Object lane = shallow(entry.getValue());
            Field isTaken = lane.getClass().getDeclaredField("isTaken");
            isTaken.setAccessible(true);
            isTaken.setBoolean(lane, false);
            lanes.put(entry.getKey(), lane);
        }
        Field field = copy.getClass().getDeclaredField("lanes");
        field.setAccessible(true);
        field.set(copy, lanes);
        return copy;
    }

    private static Object shallow(Object of) throws ReflectiveOperationException {
        Constructor<?> constructor = of.getClass().getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        Object copy = constructor.getParameterCount() == 0
                ? constructor.newInstance()
                : constructor.newInstance(get(of, "counter"), get(of, "shard"));
        for (Field field : of.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.set(copy, field.get(of));
            }
        }
        return copy;
    }
}
