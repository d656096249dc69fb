package io.counterkit.migration.internal.job;

/**
 * How far the visit of a name came before the time ended.
 *
 * @param isComplete whether nothing is left
 * @param entries if it is not complete, the number up to which the entries of the name are done; 0 if there are none
 */
public record Progress(boolean isComplete, long entries) {
    public static final Progress COMPLETE = new Progress(true, 0);

    public static Progress upTo(long entries) {
        return new Progress(false, entries);
    }
}
