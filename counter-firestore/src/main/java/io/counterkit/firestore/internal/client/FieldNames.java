package io.counterkit.firestore.internal.client;

import java.util.regex.Pattern;

/** The names that an application may give to collections and fields. */
public final class FieldNames {
    private static final Pattern RESERVED = Pattern.compile("\\.|\\.\\.|__.*__", Pattern.DOTALL);

    private FieldNames() {}

    public static String checkCollection(String what, String path) {
        String[] segments = path.split("/", -1);
        if (segments.length % 2 == 0) {
            throw new IllegalArgumentException(
                    what + " '" + path + "' is the path of a document: a collection has" + " 1, 3, 5, … segments");
        }
        for (String segment : segments) {
            checkSegment(what, segment);
        }
        return path;
    }

    public static String checkSegment(String what, String segment) {
        if (segment.isEmpty()
                || segment.contains("/")
                || RESERVED.matcher(segment).matches()) {
            throw new IllegalArgumentException(
                    what + " '" + segment + "': Firestore takes no empty segment, no '/', '.', '..' and no '__…__'");
        }
        return segment;
    }

    public static String checkField(String what, String name) {
        if (!name.matches("[a-zA-Z_][a-zA-Z_0-9]*") || RESERVED.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " '" + name + "': use letters, digits and '_', and not '__…__'");
        }
        return name;
    }
}
