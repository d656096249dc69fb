package io.counterkit.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Blob;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.fixture.TestStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The contents of a database as text, a line for each field: {@code path | field | type | value}. */
final class StoredListing {
    private static final String BETWEEN = " | ";
    private static final String TOKEN_PREFIX = "~ck:";

    private StoredListing() {}

    private static String[] split(String line) {
        return line.split(" \\|(?: |$)", -1);
    }

    static List<String> of(Firestore firestore) {
        List<String> lines = new ArrayList<>();
        firestore.listCollections().forEach(collection -> collection(collection, lines));
        return lines.stream().map(String::stripTrailing).sorted().toList();
    }

    private static void collection(CollectionReference collection, List<String> lines) {
        for (DocumentReference document : collection.listDocuments()) {
            Map<String, Object> data = TestStore.await(document.get()).getData();
            String start = document.getPath() + BETWEEN;
            if (data != null && data.isEmpty()) {
                lines.add(start + BETWEEN + BETWEEN);
            }
            if (data != null) {
                fields(start, data, lines);
            }
            document.listCollections().forEach(below -> collection(below, lines));
        }
    }

    @SuppressWarnings("unchecked") // the client's maps are of this type
    private static void fields(String start, Map<String, Object> fields, List<String> lines) {
        new TreeMap<>(fields).forEach((name, value) -> {
            String field = start + name + BETWEEN;
            if (value instanceof Map<?, ?> map) {
                lines.add(field + "map" + BETWEEN);
                fields(start + name + ".", (Map<String, Object>) map, lines);
            } else if (value instanceof List<?> list) {
                lines.add(field + "list of Long" + BETWEEN
                        + list.stream().map(String::valueOf).collect(Collectors.joining(",")));
            } else {
                lines.add(field + value.getClass().getSimpleName() + BETWEEN + text(value));
            }
        });
    }

    private static String text(Object value) {
        return value instanceof Blob blob ? Base64.getEncoder().encodeToString(blob.toBytes()) : value.toString();
    }

    /** Returns the documents of a listing, by path. */
    static Map<String, Map<String, Object>> documents(List<String> lines) {
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (String line : lines) {
            String[] parts = split(line);
            Map<String, Object> document = documents.computeIfAbsent(parts[0], path -> new HashMap<>());
            String[] path = parts[1].split("\\.", 2);
            if (path.length == 2) {
                @SuppressWarnings("unchecked") // put there by this method
                Map<String, Object> map = (Map<String, Object>) document.get(path[0]);
                map.put(path[1], value(parts[2], parts[3]));
            } else if (!parts[2].isEmpty()) {
                document.put(path[0], value(parts[2], parts[3]));
            }
        }
        return documents;
    }

    private static Object value(String type, String text) {
        return switch (type) {
            case "Long" -> Long.valueOf(text);
            case "Double" -> Double.valueOf(text);
            case "Boolean" -> Boolean.valueOf(text);
            case "String" -> text;
            case "Timestamp" -> Timestamp.parseTimestamp(text);
            case "Blob" -> Blob.fromBytes(Base64.getDecoder().decode(text));
            case "map" -> new HashMap<String, Object>();
            case "list of Long" ->
                Arrays.stream(text.split(",")).map(Long::valueOf).toList();
            default -> throw new IllegalArgumentException("type '" + type + "' in a listing");
        };
    }

    /** Removes what differs each time: times, and random tokens with the ids derived from them. */
    static List<String> lasting(List<String> lines) {
        Set<String> random = lines.stream()
                .map(StoredListing::split)
                .filter(parts -> parts[1].equals("token") && parts[3].startsWith(TOKEN_PREFIX))
                .map(parts -> parts[0])
                .collect(Collectors.toSet());
        return lines.stream()
                .map(StoredListing::split)
                .map(parts -> {
                    parts[0] = random.contains(parts[0]) ? "at random" : parts[0];
                    parts[3] = parts[2].equals("Timestamp") && !parts[1].startsWith("fields.") ? "a moment" : parts[3];
                    parts[3] = parts[3].startsWith(TOKEN_PREFIX) ? "at random" : parts[3];
                    return String.join(BETWEEN, parts).stripTrailing();
                })
                .sorted()
                .toList();
    }
}
