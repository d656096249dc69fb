package io.counterkit.internal.follow;

import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import java.util.List;

/** Checks pages of entries that must have no gap. */
public final class EntryPages {
    /** The most entries that are read ahead of a consumer: 3 MiB of fields. */
    public static final int SIZE = 100;

    private EntryPages() {}

    /**
     * Returns {@code page} if it starts with number {@code first} and has no gap.
     *
     * @param last the last number of the sequence, or the last that is wanted
     * @throws CorruptDataException otherwise
     */
    public static List<Entry> checkComplete(String sequence, List<Entry> page, long first, long last) {
        for (int i = 0; i < page.size() || i == 0; i++) {
            if (page.isEmpty() || page.get(i).number() != first + i) {
                throw new CorruptDataException("entry " + (first + i) + " of '" + sequence
                        + "' is missing, but its last number is " + last
                        + ": copy the missing entries, or start at a later number");
            }
        }
        return page;
    }
}
