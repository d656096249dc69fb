package io.counterkit.cli.console;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import com.google.gson.Strictness;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A JSON object under construction; {@link #toString()} returns it in one line. */
public final class Json {
    private static final Gson GSON = new GsonBuilder()
            .serializeNulls()
            .disableHtmlEscaping()
            .setStrictness(Strictness.LEGACY_STRICT)
            .registerTypeAdapter(Duration.class, (JsonSerializer<Duration>)
                    (duration, type, context) -> new JsonPrimitive(duration.toNanos() / 1e9))
            .registerTypeHierarchyAdapter(Enum.class, (JsonSerializer<Enum<?>>)
                    (constant, type, context) -> new JsonPrimitive(word(constant)))
            .registerTypeAdapter(Json.class, (JsonSerializer<Json>) (json, type, context) -> json.object)
            .create();

    private final JsonObject object = new JsonObject();

    private Json() {}

    /** Returns an object without members. */
    public static Json object() {
        return new Json();
    }

    /** Adds the components of a record, which {@link #with} accepts, but without those named. */
    public Json withAll(Record components, String... without) {
        GSON.toJsonTree(components).getAsJsonObject().asMap().forEach(object::add);
        List.of(without).forEach(object::remove);
        return this;
    }

    /**
     * Adds a member: a text, a finite number, a boolean, null, a constant in small letters, a duration in seconds, an
     * object, a record, or a collection of these.
     */
    public Json with(String name, @Nullable Object value) {
        object.add(name, GSON.toJsonTree(value));
        return this;
    }

    @Override
    public String toString() {
        return visible(GSON.toJson(object));
    }

    /** Returns the name of a constant as it is printed. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns {@code text} as a JSON string, in quotes. */
    public static String quoted(String text) {
        return visible(GSON.toJson(text));
    }

    /**
     * Reads a JSON string.
     *
     * @throws IllegalArgumentException if {@code quoted} is not one JSON string and nothing else
     */
    public static String unquoted(String quoted) {
        try {
            return read(quoted, String.class);
        } catch (JsonParseException e) {
            throw new IllegalArgumentException("'" + quoted + "' is not a JSON string", e);
        }
    }

    /** Reads a text or a record that {@link #withAll} has written. */
    public static <T> T read(String json, Class<T> type) {
        return GSON.fromJson(json, type);
    }

    /** Escapes the characters that are not safe to print, and lone surrogates, which UTF-8 cannot encode. */
    private static String visible(String json) {
        StringBuilder visible = new StringBuilder();
        json.codePoints().forEach(c -> {
            if (Excerpt.isFit(c)) {
                visible.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    visible.append(String.format("\\u%04x", (int) unit));
                }
            }
        });
        return visible.toString();
    }
}
