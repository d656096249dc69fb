package io.counterkit.verification.tables;

import io.counterkit.Entry;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.FaultQueue;
import io.counterkit.verification.tables.Table.Undo;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The database: its tables, the columns of their keys, and one lock for all transactions. */
final class Tables {
    private static final long GAP = TimeUnit.MICROSECONDS.toNanos(500);

    final Mistake mistake;
    final FaultQueue faults = new FaultQueue();
    final Table<Long> totals = new Table<>();
    final Table<Resolution> tokens = new Table<>();
    final Table<Instant> tokenTimes = new Table<>();
    final Table<SealRow> seals = new Table<>();
    final Table<EndRow> ends = new Table<>();
    final Table<Entry> entries = new Table<>();
    final Table<Boolean> subjects = new Table<>();
    final Table<ImportedState> imports = new Table<>();
    private final ReentrantLock lock = new ReentrantLock(true);

    /** The seal of a name. */
    record SealRow(Seal seal, Instant at) {}

    /**
     * The end of a sequence.
     *
     * @param own how many entries it has besides the imported ones
     */
    record EndRow(long last, long liveCount, long own) {}

    Tables(Mistake mistake) {
        this.mistake = mistake;
    }

    boolean has(Mistake some) {
        return mistake == some;
    }

    /** Runs a transaction. */
    <T> T transact(Function<Undo, T> transaction) {
        Undo undo = new Undo();
        lock.lock();
        try {
            return transaction.apply(undo);
        } catch (RuntimeException e) {
            undo.rollback();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Lets other transactions run between two statements, if this is the mistake. */
    void gap(Mistake of) {
        if (has(of)) {
            lock.unlock();
            LockSupport.parkNanos(GAP);
            lock.lock();
        }
    }

    String totalKey(String name) {
        return long400(name, Mistake.LONG_NAMES_ABBREVIATED, Mistake.LONG_NAMES_HASHED, Mistake.LONG_NAMES_FOLDED);
    }

    String sealKey(Kind kind, String name) {
        String key = has(Mistake.SEALS_FOLD_CASE) ? name.toLowerCase(Locale.ROOT) : name;
        key = has(Mistake.SEALS_TRIMMED) ? key.stripTrailing() : key;
        return has(Mistake.SEALS_OF_BOTH_KINDS) ? key : kind + ":" + key;
    }

    String importKey(Kind kind, String name) {
        String key = has(Mistake.IMPORTS_FOLD_CASE) ? name.toLowerCase(Locale.ROOT) : name;
        key = has(Mistake.IMPORTS_CUT) && key.length() > 200 ? key.substring(0, 200) : key;
        return has(Mistake.IMPORTS_OF_BOTH_KINDS) ? key : kind + ":" + key;
    }

    String tokenKey(String token) {
        return long400(token, Mistake.LONG_TOKENS_ABBREVIATED, Mistake.LONG_TOKENS_HASHED, Mistake.LONG_TOKENS_FOLDED);
    }

    String subjectKey(String sequence, String subject, boolean isImport) {
        if (isImport && has(Mistake.IMPORTED_SUBJECTS_JOINED)) {
            return sequence + "/" + subject;
        }
        return (has(Mistake.IMPORTED_SUBJECTS_JOINED) ? sequence + "/" : sequence.length() + ":" + sequence + ":")
                + long400(
                        subject,
                        Mistake.LONG_SUBJECTS_ABBREVIATED,
                        Mistake.LONG_SUBJECTS_HASHED,
                        Mistake.LONG_SUBJECTS_FOLDED);
    }

    String entryKey(String sequence, long number) {
        return has(Mistake.ENTRY_KEYS_JOINED)
                ? sequence + number
                : sequence + "\u0000" + String.format(Locale.ROOT, "%020d", number);
    }

    private String long400(String text, Mistake abbreviated, Mistake hashed, Mistake folded) {
        if (has(abbreviated) && text.length() > 200) {
            return text.substring(0, 100) + "…" + text.substring(text.length() - 100);
        }
        if (has(hashed) && text.length() > 200) {
            return text.substring(0, 60) + "#" + text.hashCode();
        }
        if (has(folded) && text.length() > 200) {
            return text.toLowerCase(Locale.ROOT);
        }
        return text;
    }
}
