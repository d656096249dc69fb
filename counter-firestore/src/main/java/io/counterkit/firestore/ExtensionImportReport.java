package io.counterkit.firestore;

import java.util.Comparator;
import java.util.List;

/**
 * The result of an {@link ExtensionImport}.
 *
 * @param documents the documents that were examined
 * @param counters the fields of these documents that are now counters, whether new or taken over before
 * @param shards the documents of the extension that were emptied
 * @param added the sum that was added to the counters: the values of new fields, and the later adds of the extension's
 *     clients
 * @param otherFields other fields that clients count in; if no counter was found, also fields of the documents that
 *     hold numbers; at most 20
 * @param left the documents that were not taken over completely; at most 10,000
 */
public record ExtensionImportReport(
        long documents, long counters, long shards, long added, List<String> otherFields, List<Left> left) {
    public ExtensionImportReport {
        otherFields = List.copyOf(otherFields);
        left = List.copyOf(left);
    }

    /**
     * A document that was not taken over completely.
     *
     * @param document the path of the document
     * @param reason the field, its value and the problem
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
