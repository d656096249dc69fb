package io.counterkit.verification.tables;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.verification.tables.Table.Undo;
import io.counterkit.verification.tables.Tables.EndRow;
import io.counterkit.verification.tables.Tables.SealRow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The table of imports. */
final class TableMigration implements MigrationStore {
    private final TableProcess process;
    private final Tables tables;

    TableMigration(TableProcess process) {
        this.process = process;
        this.tables = process.tables;
    }

    /** Returns what the column of an address holds. */
    static String forward(Tables tables, String forward) {
        if (tables.has(Mistake.ADDRESSES_CUT) && forward.length() > 100) {
            return forward.substring(0, 100);
        }
        return tables.has(Mistake.ADDRESSES_TRIMMED) ? forward.strip() : forward;
    }

    @Override
    public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
        return process.read(
                "reading states",
                call,
                undo -> names.stream().map(name -> state(kind, name)).toList());
    }

    private NameState state(Kind kind, String name) {
        SealRow row = tables.seals.get(tables.sealKey(kind, name));
        Seal seal = row == null ? null : row.seal();
        return new NameState(isPresent(kind, name), seal, row == null ? null : row.at());
    }

    private boolean isPresent(Kind kind, String name) {
        if (kind == Kind.COUNTER) {
            Long total = tables.totals.get(tables.totalKey(name));
            return total != null && !(tables.has(Mistake.ZERO_IS_ABSENT) && total == 0);
        }
        EndRow end = tables.ends.get(name);
        return end != null
                && end.last() > 0
                && !(tables.has(Mistake.NO_LIVE_SUBJECT_IS_ABSENT) && end.liveCount() == 0);
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        return process.read("reading a subject", call, undo -> {
            Optional<Boolean> isLive =
                    Optional.ofNullable(tables.subjects.get(tables.subjectKey(sequence, subject, false)));
            return tables.has(Mistake.UPDATED_SUBJECT_IS_NOT_LIVE)
                    ? isLive.map(live -> live && !isUpdated(sequence, subject))
                    : isLive;
        });
    }

    private boolean isUpdated(String sequence, String subject) {
        return tables.entries.rows.subMap(sequence + "\u0000", sequence + "\u0001").values().stream()
                .anyMatch(entry -> subject.equals(entry.subject()) && entry.change() == io.counterkit.Change.UPDATED);
    }

    @Override
    public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
        return process.change("importing", TableTokens.commit(call), undo -> {
            String key = tables.importKey(kind, name);
            ImportedState known = tables.imports.get(key);
            if (known != null) {
                return known;
            }
            boolean isInUse = isPresent(kind, name) || tables.seals.get(tables.sealKey(kind, name)) != null;
            tables.gap(Mistake.IMPORT_CHECKS_FIRST);
            if (isInUse) {
                throw new NotAppliedException("the name is in use");
            }
            tables.imports.put(undo, key, stored(base));
            if (base.isPresent()) {
                begin(undo, kind, name, base);
            }
            return Objects.requireNonNull(tables.imports.get(key));
        });
    }

    private void begin(Undo undo, Kind kind, String name, ImportedState base) {
        if (kind == Kind.COUNTER) {
            tables.totals.put(undo, tables.totalKey(name), base.value());
        } else {
            tables.ends.put(undo, name, new EndRow(base.last(), base.value(), 0));
        }
    }

    private ImportedState stored(ImportedState base) {
        return tables.has(Mistake.ORIGINS_CUT) && base.origin().length() > 30
                ? new ImportedState(base.origin().substring(0, 30), base.isPresent(), base.value(), base.last())
                : base;
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(Kind kind, List<String> names, Call call) {
        return process.read(
                "reading imports",
                call,
                undo -> names.stream()
                        .map(name -> Optional.ofNullable(tables.imports.get(tables.importKey(kind, name))))
                        .toList());
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return process.<@Nullable Void>change("importing a subject", TableTokens.commit(call), undo -> {
            String key = tables.subjectKey(sequence, subject, true);
            boolean isKnown = tables.subjects.get(key) != null;
            tables.gap(Mistake.SUBJECT_CHECKED_FIRST);
            if (!isKnown) {
                tables.subjects.put(undo, key, isLive);
            }
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return process.<@Nullable Void>change("copying", TableTokens.commit(call), undo -> {
            ImportedState base = tables.imports.get(tables.importKey(Kind.SEQUENCE, sequence));
            for (Entry entry : entries) {
                if (base == null || entry.number() > base.last()) {
                    throw new NotAppliedException("entry " + entry.number() + " was not imported");
                }
                String key = tables.entryKey(sequence, entry.number());
                if (tables.entries.get(key) == null) {
                    tables.entries.put(undo, key, TableSequences.copy(entry));
                }
            }
            return null;
        });
    }
}
