package io.counterkit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CountersOptions;
import io.counterkit.jdbc.JdbcCounterOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.json.JsonParserFactory;

/** The properties have metadata for editors, the defaults of the options, and a table in the documentation. */
class PropertiesTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(counterkit\\.[a-z.<>-]+)`");

    @Test
    void defaultsAreThoseOfTheOptions() {
        CounterKitProperties properties = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("counterkit", CounterKitProperties.class);
        CountersOptions options = CountersOptions.defaults();
        assertThat(properties.deadline()).isEqualTo(options.deadline());
        assertThat(properties.drainTimeout()).isEqualTo(options.drainTimeout());
        assertThat(properties.queueLimit()).isEqualTo(options.queueLimit());
        assertThat(properties.queueBytes().toBytes()).isEqualTo(options.queueBytes());
        JdbcCounterOptions jdbc = JdbcCounterOptions.defaults();
        assertThat(properties.tokenRetention()).isEqualTo(jdbc.tokenRetention());
        assertThat(properties.jdbc())
                .isEqualTo(new CounterKitProperties.Jdbc(
                        jdbc.schema(),
                        jdbc.tablePrefix(),
                        jdbc.createTables(),
                        jdbc.connections(),
                        jdbc.purgeInterval(),
                        jdbc.notifications()));
        assertThat(properties.backend()).isNull();
    }

    @Test
    void notificationsBecomeAnOption() {
        CounterKitProperties properties = new Binder(
                        new MapConfigurationPropertySource(Map.of("counterkit.jdbc.notifications", "true")))
                .bind("counterkit", CounterKitProperties.class)
                .get();
        assertThat(JdbcConfiguration.options(properties).notifications()).isTrue();
    }

    @Test
    void editorsKnowEachProperty() throws IOException {
        Map<String, Map<?, ?>> known = metadata();
        assertThat(known.keySet()).contains("counterkit.backend", "counterkit.jdbc.create-tables");
        assertThat(known).allSatisfy((name, property) -> {
            assertThat((String) property.get("description")).isNotBlank();
            assertThat((String) property.get("type")).isNotBlank();
        });
        assertThat(known.get("counterkit.deadline").get("defaultValue")).isEqualTo("20s");
    }

    @Test
    void documentationNamesEachProperty() throws IOException {
        Set<String> documented = ROW.matcher(Files.readString(Path.of("..", "docs", "spring-boot.md")))
                .results()
                .map(row -> row.group(1).replace(".<qualifier>", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(metadata().keySet());
    }

    private static Map<String, Map<?, ?>> metadata() throws IOException {
        try (var json = PropertiesTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Map<String, Object> all =
                    JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
            Map<String, Map<?, ?>> byName = new TreeMap<>();
            for (Object property : (List<?>) all.get("properties")) {
                byName.put((String) ((Map<?, ?>) property).get("name"), (Map<?, ?>) property);
            }
            return byName;
        }
    }
}
