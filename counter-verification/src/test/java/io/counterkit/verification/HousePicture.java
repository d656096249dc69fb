package io.counterkit.verification;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Draws which module uses which, and which package of a module uses which, as text. Leaves out arrows that follow from
 * other arrows, and packages without arrows.
 */
final class HousePicture {
    /** The directory of a module in this repository, or in the local one. */
    private static final Pattern MODULE =
            Pattern.compile(".*/(counter-[a-z-]+|(?:counterkit-example-|examples/)likes)/.*");

    private static final Set<String> API = Set.of("io.counterkit", "io.counterkit.spi");

    private final JavaClasses classes;
    private final Map<String, String> modules = new HashMap<>();

    private HousePicture(JavaClasses classes) {
        this.classes = classes;
        for (JavaClass type : classes) {
            String source = type.getSource().orElseThrow().getUri().toString();
            Matcher module = MODULE.matcher(source);
            if (!module.matches()) {
                throw new IllegalArgumentException(source + " belongs to no module");
            }
            modules.put(type.getName(), module.group(1).replace("counterkit-example-", "examples/"));
        }
    }

    static String draw(JavaClasses classes) {
        return new HousePicture(classes).draw();
    }

    private String draw() {
        Set<String> all = new TreeSet<>(modules.values());
        Map<String, Set<String>> uses = arrows(type -> modules.get(type.getName()), (from, to) -> true);
        StringBuilder picture = new StringBuilder();
        append(picture, "", all, uses);
        for (String module : all) {
            String root = rootOf(module);
            Map<String, Set<String>> arrows = arrows(
                    type -> module.equals(modules.get(type.getName())) ? roomOf(type.getPackageName(), root) : null,
                    (from, to) -> !from.isEmpty() && !to.isEmpty() && !from.contains("jmh_generated"));
            if (!arrows.isEmpty()) {
                Set<String> rooms = new TreeSet<>(arrows.keySet());
                arrows.values().forEach(rooms::addAll);
                picture.append('\n').append(module).append(", ").append(root).append('\n');
                append(picture, "    ", rooms, arrows);
            }
        }
        return picture.toString();
    }

    /** Returns the package that all packages of a module are in. */
    private String rootOf(String module) {
        Set<String> packages = classes.stream()
                .filter(type -> module.equals(modules.get(type.getName())))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        String root =
                packages.stream().min(Comparator.comparingInt(String::length)).orElseThrow();
        while (!isRootOf(root, packages)) {
            root = root.substring(0, root.lastIndexOf('.'));
        }
        return root;
    }

    private static boolean isRootOf(String root, Set<String> packages) {
        return packages.stream().allMatch(name -> (name + ".").startsWith(root + "."));
    }

    /** Returns the rest of a package's name; empty for what users import. */
    private static String roomOf(String name, String root) {
        return API.contains(name) || name.equals(root) ? "" : name.substring(root.length() + 1);
    }

    private Map<String, Set<String>> arrows(Function<JavaClass, String> node, BiPredicate<String, String> filter) {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (JavaClass type : classes) {
            String from = node.apply(type);
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                String to = modules.containsKey(target.getName()) ? node.apply(target) : null;
                if (from != null && to != null && !from.equals(to) && filter.test(from, to)) {
                    arrows.computeIfAbsent(from, key -> new TreeSet<>()).add(to);
                }
            });
        }
        return arrows;
    }

    private static void append(
            StringBuilder picture, String indent, Set<String> nodes, Map<String, Set<String>> arrows) {
        int width = nodes.stream().mapToInt(String::length).max().orElse(0);
        for (String node : nodes) {
            Set<String> targets = new TreeSet<>(arrows.getOrDefault(node, Set.of()));
            targets.removeIf(target -> targets.stream()
                    .anyMatch(other ->
                            !other.equals(target) && reachable(other, arrows).contains(target)));
            String line = targets.isEmpty()
                    ? node
                    : node + " ".repeat(width - node.length()) + " → " + String.join(", ", targets);
            picture.append(indent).append(line).append('\n');
        }
    }

    private static Collection<String> reachable(String from, Map<String, Set<String>> arrows) {
        Set<String> found = new TreeSet<>(arrows.getOrDefault(from, Set.of()));
        int before;
        do {
            before = found.size();
            Set.copyOf(found).forEach(node -> found.addAll(arrows.getOrDefault(node, Set.of())));
        } while (found.size() > before);
        return found;
    }
}
