package io.counterkit.verification.published;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A published pom, which the flatten plugin writes to a module's {@code target}. */
record PublishedPom(Path file, Element project) {
    private static final Path ROOT = Path.of("..");

    static PublishedPom of(String artifact) {
        return read(ROOT.resolve(artifact).resolve("target").resolve("published-pom.xml"));
    }

    /** Returns the names of the modules that are published as jars. */
    static List<String> artifacts() {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("pom.xml"))
                    .filter(Files::exists)
                    .map(PublishedPom::read)
                    .filter(pom -> !pom.text("packaging").equals("pom"))
                    .filter(pom -> pom.all("maven.deploy.skip").isEmpty())
                    .map(pom -> pom.text("artifactId"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PublishedPom read(Path file) {
        try {
            return new PublishedPom(
                    file,
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(file.toFile())
                            .getDocumentElement());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(file + " is not a pom", e);
        }
    }

    /** Returns the text of the project's own element; empty if there is none. */
    String text(String element) {
        return text(project, element);
    }

    static String text(Element parent, String element) {
        return children(parent, element).map(Node::getTextContent).findFirst().orElse("");
    }

    /** Returns the project's own element. */
    Optional<Element> child(String element) {
        return children(project, element).findFirst();
    }

    private static Stream<Element> children(Element parent, String element) {
        return elements(parent.getChildNodes())
                .filter(child -> child.getTagName().equals(element));
    }

    /** Returns all elements of this name, at any depth. */
    List<Element> all(String element) {
        return elements(project.getElementsByTagName(element)).toList();
    }

    private static Stream<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }
}
