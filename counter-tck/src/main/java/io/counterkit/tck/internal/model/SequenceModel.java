package io.counterkit.tck.internal.model;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The expected state of one sequence. Each change returns its expected answer, or the class of its failure. */
final class SequenceModel {
    private final String name;
    private final Map<IdempotencyToken, Resolution> tokens;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    final Map<String, Boolean> subjects = new HashMap<>();
    long last;
    private long liveCount;

    @Nullable Seal seal;

    @Nullable ImportedState base;

    /** @param tokens the tokens of the store */
    SequenceModel(String name, Map<IdempotencyToken, Resolution> tokens) {
        this.name = name;
        this.tokens = tokens;
    }

    /** Appends, with the time that the store has chosen. */
    Object append(AppendRequest request, Instant appendedAt) {
        IdempotencyToken token = request.token();
        Resolution known = token == null ? null : tokens.get(token);
        if (known != null && !known.applied()) {
            return seal == null
                    ? Set.of(TokenRefusedException.class, ChangeRefusedException.class)
                    : Set.of(TokenRefusedException.class, new Answers.RefusedBy(seal));
        }
        if (known != null) {
            return repeated(request, known);
        }
        if (seal != null) {
            return new Answers.RefusedBy(seal);
        }
        String subject = request.subject();
        if (subject != null && isLive(subject) == (request.change() == Change.ADDED)) {
            return ChangeRefusedException.class;
        }
        if (subject != null) {
            subjects.put(subject, request.leavesSubjectLive());
        }
        last++;
        liveCount += request.change().delta();
        Entry entry = new Entry(last, appendedAt, request.change(), subject, request.fields(), liveCount, false);
        entries.put(last, entry);
        if (token != null) {
            tokens.put(token, new Resolution.Appended(name, last));
        }
        return entry;
    }

    private Object repeated(AppendRequest request, Resolution known) {
        if (known instanceof Resolution.Appended appended && appended.sequence().equals(name)) {
            Entry entry = Objects.requireNonNull(entries.get(appended.number()));
            if (entry.change() == request.change() && Objects.equals(entry.subject(), request.subject())) {
                return entry;
            }
        }
        return TokenRefusedException.class;
    }

    boolean isLive(String subject) {
        return subjects.getOrDefault(subject, false);
    }

    boolean hasFields(long number) {
        Entry entry = entries.get(number);
        return entry != null && !entry.erased();
    }

    Object erase(long number) {
        return entries.computeIfPresent(number, (same, entry) -> entry.withoutFields()) != null;
    }

    Object seal(String forward) {
        if (seal != null) {
            return seal.forward().equals(forward) ? seal : new Answers.RefusedBy(seal);
        }
        seal = new Seal(forward, last, liveCount);
        return seal;
    }

    Object importBase(ImportedState imported) {
        if (base != null) {
            return base;
        }
        if (last > 0 || seal != null) {
            return NotAppliedException.class;
        }
        base = imported;
        last = imported.last();
        liveCount = imported.value();
        return imported;
    }

    Object importSubject(String subject, boolean isLive) {
        subjects.putIfAbsent(subject, isLive);
        return Answers.DONE;
    }

    Object copy(List<Entry> copied) {
        long imported = base == null ? 0 : base.last();
        if (copied.stream().anyMatch(entry -> entry.number() > imported)) {
            return NotAppliedException.class;
        }
        copied.forEach(entry -> entries.putIfAbsent(entry.number(), entry));
        return Answers.DONE;
    }

    Tail tail() {
        return new Tail(last, liveCount, seal);
    }

    /** Returns whether nothing has changed since the import. Such a sequence may or may not be listed. */
    boolean isAsImported() {
        return base != null && last == base.last() && seal == null;
    }

    /** Returns whether no entry was appended since the import. Such a sequence may or may not be present. */
    boolean hasOnlyCopies() {
        return isImported() && base != null && last == base.last();
    }

    /** Returns whether the sequence was imported, so that subjects and entries may follow, even after a seal. */
    boolean isImported() {
        return base != null && base.isPresent();
    }

    List<Entry> entries() {
        return new ArrayList<>(entries.values());
    }

    List<Entry> entries(NumberRange range) {
        return entries().stream()
                .filter(entry -> range.contains(entry.number()))
                .toList();
    }
}
