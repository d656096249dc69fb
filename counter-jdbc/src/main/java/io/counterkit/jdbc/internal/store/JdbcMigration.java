package io.counterkit.jdbc.internal.store;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a migration. Imports are stored in a separate table, so that they remain when their counters are
 * deleted.
 */
public final class JdbcMigration implements MigrationStore {
    private final Database database;
    private final Statements sql;

    public JdbcMigration(Database database) {
        this.database = database;
        this.sql = database.statements();
    }

    @Override
    public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
        return database.read("reading states", names, call, session -> {
            Map<String, NameState> states = new HashMap<>();
            if (kind == Kind.COUNTER) {
                CounterRow.find(session, sql, new HashSet<>(names)).forEach(row -> states.put(row.name(), row.state()));
            } else {
                SequenceRow.find(session, sql, new HashSet<>(names))
                        .forEach(row -> states.put(row.name(), row.state()));
            }
            return names.stream()
                    .map(name -> states.getOrDefault(name, new NameState(false, null, null)))
                    .toList();
        });
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        return database.read(
                "reading '" + subject + "' in '" + sequence + "'",
                List.of(sequence),
                call,
                session -> state(session, sequence, subject));
    }

    private Optional<Boolean> state(Session session, String sequence, String subject) throws SQLException {
        return session
                .query(sql.sequences().selectSubjects(), row -> row.getBoolean("live"), sequence, List.of(subject))
                .stream()
                .findFirst();
    }

    @Override
    public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
        return database.repeatable("importing '" + name + "'", List.of(name), call, session -> {
            if (insert(session, Rows.one(sql.insertImports(), importRow(kind, name, base)))) {
                begin(session, kind, name, base);
                return base;
            }
            ImportedState earlier = imports(session, kind, List.of(name)).get(name);
            if (earlier == null) {
                throw new SkippedRowsException();
            }
            return earlier;
        });
    }

    /**
     * Starts an absent name with its imported state. A sequence whose appends were all refused has an empty row, and is
     * absent.
     */
    private void begin(Session session, Kind kind, String name, ImportedState base) throws SQLException {
        boolean isFree;
        if (kind == Kind.SEQUENCE) {
            isFree = insert(session, Rows.one(sql.sequences().importSequences(), name, base.last(), base.value()));
        } else {
            isFree = insert(session, Rows.one(sql.importCounters(), name, base.value()));
            if (isFree && !base.isPresent()) {
                session.query(
                        sql.deleteCounter(), row -> name, name); // until the commit, a first add waits for the row
            }
        }
        if (!isFree) {
            throw new NotAppliedException("import of '" + name + "' from '" + base.origin()
                    + "': the name is in use here and was not imported; import it to another store or table prefix");
        }
    }

    private static boolean insert(Session session, Rows row) throws SQLException {
        return !session.insert(List.of(row)).get(0).isEmpty();
    }

    private static @Nullable Object[] importRow(Kind kind, String name, ImportedState base) {
        return new @Nullable Object[] {name, word(kind), base.origin(), base.isPresent(), base.value(), base.last()};
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private Map<String, ImportedState> imports(Session session, Kind kind, List<String> names) throws SQLException {
        Map<String, ImportedState> found = new HashMap<>();
        session.query(
                        sql.selectImports(),
                        row -> Map.entry(
                                row.getString("name"),
                                new ImportedState(
                                        row.getString("origin"),
                                        row.getBoolean("present"),
                                        row.getLong("value"),
                                        row.getLong("last"))),
                        word(kind),
                        new HashSet<>(names))
                .forEach(imported -> found.put(imported.getKey(), imported.getValue()));
        return found;
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(Kind kind, List<String> names, Call call) {
        return database.read("reading imports", names, call, session -> {
            Map<String, ImportedState> found = imports(session, kind, names);
            return names.stream()
                    .map(name -> Optional.ofNullable(found.get(name)))
                    .toList();
        });
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return database.repeatable(
                        "importing '" + subject + "' of '" + sequence + "'", List.of(sequence), call, session -> {
                            SequenceRow.lock(session, sql, sequence); // an append decides before this, or after it
                            Rows row = Rows.one(sql.sequences().importSubjects(), subject, sequence, isLive);
                            if (!insert(session, row)
                                    && state(session, sequence, subject).isEmpty()) {
                                throw new SkippedRowsException();
                            }
                            return true;
                        })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return database.repeatable("copying entries of '" + sequence + "'", List.of(sequence), call, session -> {
                    ImportedState base =
                            imports(session, Kind.SEQUENCE, List.of(sequence)).get(sequence);
                    long last = base == null ? 0 : base.last();
                    for (Entry entry : entries) {
                        if (entry.number() > last) {
                            throw new NotAppliedException("copy of entry " + entry.number() + " to '" + sequence
                                    + "': only entries up to " + last + " were imported; nothing was copied");
                        }
                    }
                    Set<String> written = session.insert(List.of(new Rows(
                                    sql.sequences().insertEntries(),
                                    entries.stream()
                                            .sorted(Comparator.comparingLong(Entry::number))
                                            .map(entry -> EntryRow.of(sequence, entry))
                                            .toList())))
                            .get(0);
                    List<Long> others = EntryRow.unwritten(entries, written);
                    if (EntryRow.stored(session, sql, sequence, others).size() < others.size()) {
                        throw new SkippedRowsException();
                    }
                    return true;
                })
                .thenAccept(done -> {});
    }
}
