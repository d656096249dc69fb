package io.counterkit.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.util.Map;

/** Parses JSON strictly, so that the output is known to be valid. */
public final class ParsedJson {
    private static final Gson GSON = new GsonBuilder()
            .setStrictness(Strictness.STRICT)
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();

    private ParsedJson() {}

    public static Map<String, Object> object(String text) {
        return GSON.fromJson(text, new TypeToken<>() {});
    }
}
