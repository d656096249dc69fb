package io.counterkit.verification.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** The published poms state what users need, and nothing else. */
class PublishedPomsTest {
    private static final String OURS = "io.counterkit";

    static List<String> artifacts() {
        return PublishedPom.artifacts();
    }

    @Test
    void bomManagesOurArtifactsAndNothingElse() {
        PublishedPom bom = PublishedPom.of("counter-bom");
        assertThat(bom.child("parent"))
                .as("the parent, which would manage more artifacts")
                .isEmpty();
        assertThat(bom.all("properties")).isEmpty();
        List<Element> managed = bom.all("dependency");
        assertThat(managed).allSatisfy(dependency -> {
            assertThat(PublishedPom.text(dependency, "groupId")).isEqualTo(OURS);
            assertThat(PublishedPom.text(dependency, "version")).isIn("${project.version}", bom.text("version"));
            assertThat(PublishedPom.text(dependency, "scope")).isEmpty();
        });
        assertThat(managed)
                .extracting(dependency -> PublishedPom.text(dependency, "artifactId"))
                .containsExactlyInAnyOrderElementsOf(artifacts());
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void pomStandsAloneAndNamesWhatTheArtifactNeeds(String artifact) {
        PublishedPom pom = PublishedPom.of(artifact);
        assertThat(pom.text("groupId")).isEqualTo(OURS);
        assertThat(pom.text("version")).isNotEmpty();
        assertThat(pom.text("name")).isNotEmpty();
        assertThat(pom.text("description")).isNotEmpty();
        for (String element : List.of("url", "licenses", "developers", "scm")) {
            assertThat(pom.child(element))
                    .as("%s, which Maven Central requires", element)
                    .isPresent();
        }
        assertThat(pom.text("url")).as("the same for all artifacts").doesNotContain(artifact);
        for (String element : List.of("parent", "dependencyManagement", "properties", "build", "repositories")) {
            assertThat(pom.child(element)).as(element).isEmpty();
        }
        assertThat(pom.all("dependency")).allSatisfy(dependency -> {
            assertThat(PublishedPom.text(dependency, "version")).isNotEmpty().doesNotContain("$", "[", "(");
            assertThat(PublishedPom.text(dependency, "scope")).isIn("compile", "runtime");
            assertThat(PublishedPom.text(dependency, "type")).isIn("", "jar");
        });
    }

    @Test
    void everyModuleButTheUnpublishedIsLookedAt() {
        assertThat(new TreeSet<>(artifacts()))
                .contains("counter-api", "counter-firestore", "counter-tck", "counter-soak", "counter-cli")
                .doesNotContain("counter-bom", "counter-verification", "counter-benchmarks");
    }
}
