package io.counterkit.inmemory;

import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import java.time.Instant;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters: a cell for each that is present. Each method is one atomic step. A cell that is deleted, reset or
 * sealed is closed first, under the lock of its name, so that an add which still holds it looks again.
 */
final class CounterTable {
    private final ConcurrentMap<String, CounterCell> cells = new ConcurrentHashMap<>();

    /** What imported counters began with, for good. Written under the lock of the name in {@link #cells}. */
    private final ConcurrentMap<String, ImportedState> bases = new ConcurrentHashMap<>();

    private final NameIndex names = new NameIndex(this::addNames);

    /** The names of the counters that are present. */
    NameIndex names() {
        return names;
    }

    private void addNames() {
        for (String name : cells.keySet()) {
            cells.computeIfPresent(name, (same, cell) -> {
                if (cell.state().isPresent()) {
                    names.add(name);
                }
                return cell;
            });
        }
    }

    /** Adds to the counter, which is present from then on; refused by a seal. */
    void add(String name, long delta) {
        CounterCell cell = cell(name);
        while (!cell.isAdded(delta)) {
            cell.checkOpen(name);
            cell = cell(name);
        }
    }

    /** The cell of a counter, which is made present; it may be closed or sealed by the time that it is used. */
    CounterCell cell(String name) {
        CounterCell cell = cells.get(name);
        return cell != null ? cell : names.creating(() -> cells.computeIfAbsent(name, absent -> present(name, 0)));
    }

    private CounterCell present(String name, long total) {
        names.add(name);
        return new CounterCell(total);
    }

    /** The total, whatever it is; 0 if absent. */
    long total(String name) {
        CounterCell cell = cells.get(name);
        while (cell != null) {
            Long total = cell.total();
            if (total != null) {
                return total;
            }
            cell = cells.computeIfPresent(name, (same, successor) -> successor);
        }
        return 0;
    }

    /** The seal, if there is one. */
    @Nullable Seal seal(String name) {
        CounterCell cell = cells.get(name);
        return cell == null ? null : cell.seal();
    }

    void reset(String name) {
        cells.computeIfPresent(name, (same, cell) -> {
            cell.checkOpen(name);
            cell.close();
            return new CounterCell(0);
        });
    }

    void delete(String name) {
        cells.computeIfPresent(name, (same, cell) -> {
            cell.checkOpen(name);
            cell.close();
            names.remove(name);
            return null;
        });
    }

    /** Seals the counter, or returns the seal that it has, if that leads to the same place. */
    Seal seal(String name, String forward, Instant now) {
        CounterCell sealed = cells.compute(name, (same, cell) -> {
            if (cell == null || cell.seal() == null) {
                return CounterCell.sealed(cell != null, cell == null ? 0 : cell.close(), forward, now);
            }
            if (!cell.seal().forward().equals(forward)) {
                throw new SealedException(name, cell.seal());
            }
            return cell;
        });
        return Objects.requireNonNull(sealed.seal());
    }

    NameState state(String name) {
        CounterCell cell = cells.get(name);
        return cell == null ? new NameState(false, null, null) : cell.state();
    }

    /** Lets an absent counter begin with {@code base}, or returns the base that it began with. */
    ImportedState importBase(String name, ImportedState base) {
        names.creating(() -> cells.compute(name, (same, cell) -> {
            if (bases.containsKey(name)) {
                return cell;
            }
            if (cell != null) {
                throw new NotAppliedException("import of '" + name + "' from '" + base.origin()
                        + "': the counter is in use here and was not imported");
            }
            bases.put(name, base);
            return base.isPresent() ? present(name, base.value()) : null;
        }));
        return Objects.requireNonNull(bases.get(name));
    }

    @Nullable ImportedState base(String name) {
        return bases.get(name);
    }

    /** A copy of all present counters with their totals. */
    SortedMap<String, Long> totals() {
        SortedMap<String, Long> totals = new TreeMap<>();
        cells.keySet().stream().filter(name -> state(name).isPresent()).forEach(name -> totals.put(name, total(name)));
        return totals;
    }
}
