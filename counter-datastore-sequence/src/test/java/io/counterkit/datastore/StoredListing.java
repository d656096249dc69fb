package io.counterkit.datastore;

import com.google.appengine.api.datastore.Blob;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.EmbeddedEntity;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.PropertyContainer;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The content of a Datastore as text, a line for each property: {@code kind | key | property | type | value}. */
public final class StoredListing {
    private static final String BETWEEN = " | ";
    private static final String INDEXED = "indexed ";
    private static final String MINTED = "~ck:";

    private StoredListing() {}

    private static String[] split(String line) {
        return line.split(" \\|(?: |$)", -1);
    }

    public static List<String> of(DatastoreService datastore) {
        List<String> lines = new ArrayList<>();
        for (Entity entity : datastore.prepare(null, new Query()).asIterable(FetchOptions.Builder.withDefaults())) {
            if (entity.getKind().startsWith("CounterKit")) {
                String start = entity.getKind() + BETWEEN + entity.getKey().getName() + BETWEEN;
                if (entity.getProperties().isEmpty()) {
                    lines.add(start + BETWEEN + BETWEEN);
                }
                properties(start, entity, lines);
            }
        }
        return lines.stream().map(String::stripTrailing).sorted().toList();
    }

    private static void properties(String start, PropertyContainer container, List<String> lines) {
        new TreeMap<>(container.getProperties()).forEach((name, value) -> {
            String property = start + name + BETWEEN + (container.isUnindexedProperty(name) ? "" : INDEXED);
            if (value == null) {
                lines.add(property + "null" + BETWEEN);
            } else if (value instanceof EmbeddedEntity embedded) {
                lines.add(property + "embedded" + BETWEEN);
                properties(start + name + ".", embedded, lines);
            } else if (value instanceof List<?> list) {
                String values = list.stream().map(StoredListing::text).collect(Collectors.joining(","));
                lines.add(property + "list of " + list.get(0).getClass().getSimpleName() + BETWEEN + values);
            } else {
                lines.add(property + value.getClass().getSimpleName() + BETWEEN + text(value));
            }
        });
    }

    private static String text(Object value) {
        if (value instanceof Text text) {
            return text.getValue();
        }
        if (value instanceof Date date) {
            return date.toInstant().toString();
        }
        return value instanceof Blob blob ? Base64.getEncoder().encodeToString(blob.getBytes()) : value.toString();
    }

    /** Creates the entities of a listing. */
    public static List<Entity> entities(List<String> lines) {
        Map<String, Entity> entities = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = split(line);
            Entity entity =
                    entities.computeIfAbsent(parts[0] + BETWEEN + parts[1], place -> new Entity(parts[0], parts[1]));
            String[] path = parts[2].split("\\.", 2);
            boolean isIndexed = parts[3].startsWith(INDEXED);
            String type = isIndexed ? parts[3].substring(INDEXED.length()) : parts[3];
            if (path.length == 2) {
                EmbeddedEntity embedded = (EmbeddedEntity) entity.getProperty(path[0]);
                embedded.setUnindexedProperty(path[1], value(type, parts[4]));
                entity.setUnindexedProperty(path[0], embedded);
            } else if (isIndexed) {
                entity.setProperty(path[0], value(type, parts[4]));
            } else if (!type.isEmpty()) {
                entity.setUnindexedProperty(path[0], value(type, parts[4]));
            }
        }
        return List.copyOf(entities.values());
    }

    private static @Nullable Object value(String type, String text) {
        if (type.startsWith("list of ")) {
            String one = type.substring("list of ".length());
            return Arrays.stream(text.split(","))
                    .map(value -> value(one, value))
                    .toList();
        }
        return switch (type) {
            case "Long" -> Long.valueOf(text);
            case "Double" -> Double.valueOf(text);
            case "Boolean" -> Boolean.valueOf(text);
            case "String" -> text;
            case "Text" -> new Text(text);
            case "Date" -> Date.from(Instant.parse(text));
            case "Blob" -> new Blob(Base64.getDecoder().decode(text));
            case "embedded" -> new EmbeddedEntity();
            case "null" -> null;
            default -> throw new IllegalArgumentException("type '" + type + "' in a listing");
        };
    }

    /** Returns the lines without what differs each time: times, and random tokens with the keys made of them. */
    public static List<String> lasting(List<String> lines) {
        Set<String> random = lines.stream()
                .map(StoredListing::split)
                .filter(parts -> parts[0].endsWith("Token") && parts[2].equals("token") && parts[4].startsWith(MINTED))
                .map(parts -> parts[1])
                .collect(Collectors.toSet());
        return lines.stream()
                .map(StoredListing::split)
                .map(parts -> {
                    parts[1] = random.contains(parts[1]) ? "at random" : parts[1];
                    parts[4] = parts[3].endsWith("Date") && !parts[2].startsWith("fields.") ? "a moment" : parts[4];
                    parts[4] = parts[4].startsWith(MINTED) ? "at random" : parts[4];
                    return String.join(BETWEEN, parts).stripTrailing();
                })
                .sorted()
                .toList();
    }
}
