package io.counterkit.firestore;

import java.util.Comparator;
import java.util.List;

/**
 * What {@link ExtensionImport} has found and done.
 *
 * @param documents the documents that were examined
 * @param counters the fields of them that are counters now, new or known
 * @param shards the documents of the extension that were emptied
 * @param added what was added to the counters: the values of fields that were new, and what was added in the extension's
 *     way since
 * @param otherFields other fields that clients count in; if no counter was found, also fields of the documents that hold
 *     numbers; at most 20
 * @param left what was not taken over, and stays as it is; at most 10,000 of it
 */
public record ExtensionImportReport(
        long documents, long counters, long shards, long added, List<String> otherFields, List<Left> left) {
    public ExtensionImportReport {
        otherFields = List.copyOf(otherFields);
        left = List.copyOf(left);
    }

    /**
     * A document that was not taken over, or not all of it.
     *
     * @param document the path of the document
     * @param reason the field, its value and what is wrong with it
     */
    public record Left(String document, String reason) implements Comparable<Left> {
        private static final Comparator<Left> ORDER =
                Comparator.comparing(Left::document).thenComparing(Left::reason);

        @Override
        public int compareTo(Left other) {
            return ORDER.compare(this, other);
        }
    }
}
