package io.counterkit.verification.published;

import io.counterkit.datastore.fixture.Directories;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Builds independent projects with our artifacts as published. The artifacts are in a repository in {@code target} that
 * precedes the user's, so that none of them enters the user's and none of the user's is downloaded again.
 */
final class ForeignBuilds {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path REPOSITORY = TARGET.resolve("consumers-repository");
    private static final Path PROJECTS = TARGET.resolve("consumers");
    private static final Path LOG = TARGET.resolve("consumers.log");

    /** The exclusion that docs/guice.md recommends. */
    private static final Pattern EXCLUDED_GUAVA =
            Pattern.compile("(?m)^<exclusion><groupId>com.google.guava</groupId>.*</exclusion>$");

    /** The versions that docs/datastore.md recommends before Google's BOM. */
    private static final Pattern PINS = Pattern.compile(
            "(?m)^<dependency><groupId>com.google.cloud</groupId><artifactId>google-cloud-datastore<[\\s\\S]*?(?=^```)");

    /** The project that docs/writing-a-backend.md begins with. */
    private static final Pattern BACKEND = Pattern.compile("(?m)^<project[\\s\\S]*?^</project>$");

    private static final Path SAMPLE = Path.of("..", "samples", "h2-backend", "src");

    private final List<String> modules = new ArrayList<>();

    private ForeignBuilds() {}

    /** Prepares the projects. */
    static ForeignBuilds prepare() throws IOException {
        ForeignBuilds builds = new ForeignBuilds();
        publish();
        builds.modules.addAll(List.of("junit5", "guice", "datastore", "boot-ours-first", "boot-theirs-first"));
        fill("guice", "guice", "EXCLUDED", line("guice.md", EXCLUDED_GUAVA));
        fill("datastore", "datastore", "PINS", line("datastore.md", PINS));
        for (String artifact : PublishedPom.artifacts()) {
            builds.modules.add(fill("alone", "alone-" + artifact, "ARTIFACT", artifact));
        }
        builds.modules.add(fillBackend());
        builds.writeAggregator();
        return builds;
    }

    private static void publish() throws IOException {
        Path group = REPOSITORY.resolve(Path.of("io", "counterkit"));
        Directories.delete(group);
        List<String> artifacts = new ArrayList<>(PublishedPom.artifacts());
        artifacts.add("counter-bom");
        for (String artifact : artifacts) {
            PublishedPom pom = PublishedPom.of(artifact);
            String version = pom.text("version");
            Path directory = Files.createDirectories(group.resolve(artifact).resolve(version));
            Files.copy(pom.file(), directory.resolve(artifact + "-" + version + ".pom"));
            if (!pom.text("packaging").equals("pom")) {
                String jar = artifact + "-" + version + ".jar";
                Files.copy(pom.file().resolveSibling(jar), directory.resolve(jar));
            }
        }
    }

    private static String line(String page, Pattern wanted) throws IOException {
        Matcher line = wanted.matcher(Files.readString(Path.of("..", "docs", page)));
        if (!line.find()) {
            throw new IllegalStateException("docs/" + page + " has nothing like " + wanted);
        }
        return line.group();
    }

    private static String fill(String template, String project, String variable, String value) throws IOException {
        String pom = Files.readString(PROJECTS.resolve(template).resolve("pom.xml"));
        Path directory = Files.createDirectories(PROJECTS.resolve(project));
        Files.writeString(directory.resolve("pom.xml"), pom.replace(variable, value));
        return project;
    }

    /** Makes a project of the pom in docs/writing-a-backend.md and of the sources of the sample. */
    private static String fillBackend() throws IOException {
        Path project = PROJECTS.resolve("backend");
        Directories.delete(project);
        try (Stream<Path> sources = Files.walk(SAMPLE)) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                Path copy = project.resolve("src").resolve(SAMPLE.relativize(source));
                Files.createDirectories(copy.getParent());
                Files.copy(source, copy);
            }
        }
        Files.writeString(project.resolve("pom.xml"), line("writing-a-backend.md", BACKEND));
        return "backend";
    }

    private void writeAggregator() throws IOException {
        StringBuilder pom = new StringBuilder("""
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                <modelVersion>4.0.0</modelVersion>
                <groupId>shop</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
                <modules>
                """);
        modules.forEach(module -> pom.append("<module>").append(module).append("</module>\n"));
        Files.writeString(PROJECTS.resolve("pom.xml"), pom.append("</modules>\n</project>\n"));
    }

    /** Builds all projects, even if one fails, and returns the exit code. */
    int build() throws IOException, InterruptedException {
        Directories.delete(PROJECTS.resolve("guice").resolve("target"));
        for (String built : List.of("datastore", "boot-ours-first", "boot-theirs-first")) {
            Directories.delete(PROJECTS.resolve(built).resolve("target"));
        }
        return maven(PROJECTS, LOG, "--fail-at-end", "compile");
    }

    /** Runs a test of a built project, and returns Maven's exit code and output. */
    Map.Entry<Integer, String> test(String project, String test) throws IOException, InterruptedException {
        Path log = TARGET.resolve("consumers-" + project + ".log");
        int code = maven(PROJECTS.resolve(project), log, "test", "-Dtest=" + test);
        return Map.entry(code, Files.readString(log));
    }

    private static int maven(Path project, Path log, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn" + (File.separatorChar == '\\' ? ".cmd" : ""))
                        .toString(),
                "--batch-mode",
                "--no-transfer-progress",
                "--file=" + project.resolve("pom.xml"),
                "-Dmaven.repo.local=" + REPOSITORY,
                "-Dmaven.repo.local.tail=" + System.getProperty("settings.localRepository")));
        command.addAll(List.of(arguments));
        ProcessBuilder maven = new ProcessBuilder(command);
        maven.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
        return maven.redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }

    /** Returns the output of the build. */
    String log() throws IOException {
        return Files.readString(LOG);
    }

    /** Returns the names of the jars on a project's class path. */
    List<String> jars(String project) throws IOException {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(classPath(project))
                .map(jar -> Path.of(jar).getFileName().toString())
                .toList();
    }

    private static String classPath(String project) throws IOException {
        return Files.readString(PROJECTS.resolve(project).resolve("target").resolve("classpath"));
    }

    /** Runs a built project as an application. */
    Map.Entry<Integer, String> run(String project, String... arguments) throws IOException, InterruptedException {
        Path target = PROJECTS.resolve(project).resolve("target");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                target.resolve("classes") + File.pathSeparator + classPath(project),
                "shop.Shop"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Map.entry(process.waitFor(), said);
    }
}
