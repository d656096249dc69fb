package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import java.util.List;

/** The counters of the Firebase extension Distributed Counter, which a backend in the same database can take over. */
public interface ExtensionCounters {
    /**
     * Returns what takes over fields of the documents of a collection.
     *
     * @throws IllegalArgumentException if the collection or a field is invalid; the message is for the user
     */
    Source of(String collection, List<String> fields);

    /** The documents of a collection. */
    interface Source {
        /**
         * Takes over all documents. Can be repeated.
         *
         * @throws NotAppliedException if the store failed; some documents may have been taken over
         */
        Pass all();

        /**
         * Takes over the documents that clients have added to in the extension's way since.
         *
         * @throws NotAppliedException as {@link #all}
         */
        Pass written();
    }

    /**
     * What a pass has done.
     *
     * @param documents the documents that were examined
     * @param counters the fields of them that are counters now
     * @param shards the documents of the extension that were emptied
     * @param added what was added to the counters
     * @param otherFields other fields that are counted in
     * @param left what was not taken over, a document and the reason each
     */
    record Pass(long documents, long counters, long shards, long added, List<String> otherFields, List<String> left) {
        public Pass {
            otherFields = List.copyOf(otherFields);
            left = List.copyOf(left);
        }
    }
}
