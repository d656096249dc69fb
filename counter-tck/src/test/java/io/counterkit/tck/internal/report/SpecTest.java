package io.counterkit.tck.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.BackendTests;
import io.counterkit.tck.CounterBackendContract;
import io.counterkit.tck.Rule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** SPEC.md and the tests of the kit match. */
class SpecTest {
    private final Spec spec = Spec.load();

    @Test
    void everyRuleHasATestOrAReasonNotBoth() {
        Map<String, Method> tests = tests();
        for (String rule : spec.rules().keySet()) {
            assertThat(tests.containsKey(rule) ^ spec.untested().containsKey(rule))
                    .as("whether rule %s has either a test or a reason", rule)
                    .isTrue();
        }
        assertThat(spec.rules().keySet())
                .containsAll(tests.keySet())
                .containsAll(spec.untested().keySet());
    }

    @Test
    void everyLineThatLooksLikeARuleIsReadAsOne() throws Exception {
        String text = new String(
                Spec.class.getResourceAsStream("/io/counterkit/tck/SPEC.md").readAllBytes(), StandardCharsets.UTF_8);
        assertThat(spec.rules()).hasSize((int)
                text.lines().filter(line -> line.startsWith("**")).count());
        assertThat(spec.rules()).hasSizeGreaterThan(90);
    }

    @Test
    void everyTestIsNamedAfterItsRuleAndCannotBeOverridden() {
        tests().forEach((rule, test) -> {
            int dot = rule.indexOf('.');
            String sub = rule.substring(dot + 1);
            assertThat(test.getName())
                    .startsWith("spec" + rule.substring(0, dot) + (sub.length() == 1 ? "0" : "") + sub + "_");
            assertThat(Modifier.isFinal(test.getModifiers())).as(test.getName()).isTrue();
            assertThat(Modifier.isPublic(test.getModifiers()) || Modifier.isProtected(test.getModifiers()))
                    .as("whether %s is visible in a backend's package", test.getName())
                    .isFalse();
            assertThat(test.getAnnotation(Rule.class).lookAt()).isNotBlank();
        });
    }

    private static Map<String, Method> tests() {
        Map<String, Method> tests = new TreeMap<>();
        chapters()
                .flatMap(chapter -> Arrays.stream(chapter.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class))
                .forEach(test -> {
                    String rule = test.getAnnotation(Rule.class).value();
                    assertThat(tests.put(rule, test))
                            .as("a second test of rule %s", rule)
                            .isNull();
                });
        return tests;
    }

    /** Returns the chapters of the whole contract. */
    private static Stream<Class<?>> chapters() {
        List<Class<?>> nested = Stream.<Class<?>>iterate(
                        CounterBackendContract.class, type -> type != BackendTests.class, Class::getSuperclass)
                .flatMap(type -> Arrays.stream(type.getDeclaredClasses()))
                .toList();
        assertThat(nested).allMatch(chapter -> chapter.isAnnotationPresent(Nested.class));
        return nested.stream().map(Class::getSuperclass);
    }
}
