package io.counterkit.migration.model;

import io.counterkit.Change;
import io.counterkit.migration.internal.routing.World;
import io.counterkit.spi.ChangeTarget.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Operations of several processes at once. */
final class Scenarios {
    static final Map<String, Consumer<World>> ALL = new TreeMap<>();

    /** The scenarios with less than a thousand orders, which can be run with a fault at each call. */
    static final List<String> SMALL;

    private Scenarios() {}

    static {
        ALL.put("two migrating processes append to an unknown sequence", world -> {
            world.migrating("a", 100).then(world.attempt(world.append("a1")));
            world.migrating("b", 100).then(world.attempt(world.append("b1")));
        });
        ALL.put("an old and a migrating process append to an unknown sequence", world -> {
            world.old("old").then(world.attempt(world.append("o1"))).then(world.attempt(world.append("o2")));
            world.migrating("a", 100).then(world.attempt(world.append("a1"))).then(world.attempt(world.append("a2")));
        });
        ALL.put("an old and a migrating process add to a counter", world -> {
            world.before(world.add("before", 10));
            world.old("old").then(world.attempt(world.add("o1", 1))).then(world.attempt(world.addOnce("o2", 2)));
            world.migrating("a", 100)
                    .then(world.attempt(world.add("a1", 4)))
                    .then(world.attempt(world.addOnce("a2", 8)));
        });
        ALL.put("processes before and after their turn append", world -> {
            world.before(world.append("before"));
            world.migrating("early", 0)
                    .then(world.attempt(world.append("e1")))
                    .then(world.attempt(world.appendOnce("e2")));
            world.migrating("late", 100).then(world.attempt(world.appendOnce("l1")));
        });
        ALL.put("an old process appends while two others move the sequence", world -> {
            world.before(world.append("before"));
            world.old("old").then(world.attempt(world.append("o1")));
            world.migrating("mover", 0).then(World.move(Kind.SEQUENCE));
            world.migrating("late", 100).then(world.attempt(world.append("l1")));
        });
        ALL.put("one token is tried by an old and by a migrating process", world -> {
            world.before(world.append("before"), world.add("before too", 100));
            world.old("old").then(world.attempt(world.append("same"))).then(world.attempt(world.add("same too", 1)));
            world.migrating("a", 100)
                    .then(world.attempt(world.append("same")))
                    .then(world.attempt(world.add("same too", 1)));
        });
        ALL.put("a token is resolved while its add is on its way and the counter moves", world -> {
            Attempt add = world.add("a1", 1);
            world.migrating("a", 0).then(world.attempt(add));
            world.migrating("resolver", 100).then(world.resolve(add));
            world.migrating("mover", 0).then(World.move(Kind.COUNTER));
        });
        ALL.put("a commit is resolved while its append is on its way and the sequence moves", world -> {
            Attempt append = world.appendOnce("a1");
            world.before(world.append("before"));
            world.migrating("a", 0).then(world.attempt(append));
            world.migrating("resolver", 0).then(world.resolve(append));
            world.migrating("mover", 0).then(World.move(Kind.SEQUENCE));
        });
        ALL.put("a total is read twice while another adds and moves the counter", world -> {
            world.before(world.add("before", 10));
            world.migrating("reader", 0).then(world.readTotal()).then(world.readTotal());
            world.migrating("b", 100).then(world.attempt(world.add("b1", 2)));
        });
        ALL.put("a total is read while an old and a migrating process add", world -> {
            world.before(world.add("before", 10));
            world.migrating("reader", 0).then(world.readTotal());
            world.old("a").then(world.attempt(world.add("a1", 1)));
            world.migrating("b", 100).then(world.attempt(world.add("b1", 2)));
        });
        ALL.put("a sequence is read twice while another appends and moves it", world -> {
            world.before(world.append("before"));
            world.migrating("reader", 100).then(world.readLast()).then(world.readEntries());
            world.migrating("b", 100).then(world.attempt(world.append("b1")));
        });
        ALL.put("the last number is read while one appends before its turn and one after", world -> {
            world.before(world.append("before"));
            world.migrating("reader", 100).then(world.readLast());
            world.old("a").then(world.attempt(world.append("a1")));
            world.migrating("b", 100).then(world.attempt(world.append("b1")));
        });
        ALL.put("a subject is changed by an old and by a migrating process", world -> {
            world.before(world.append("before", Change.ADDED, "s"));
            world.old("old").then(world.attempt(world.append("o1", Change.REMOVED, "s")));
            world.migrating("a", 100)
                    .then(world.attempt(world.append("a1", Change.UPDATED, "s")))
                    .then(world.attempt(world.append("a2", Change.REMOVED, "s")));
        });
        ALL.put("a subject from before is changed by two migrating processes", world -> {
            world.before(world.append("before", Change.ADDED, "s"));
            world.migrating("a", 100).then(world.attempt(world.append("a1", Change.REMOVED, "s")));
            world.migrating("b", 100).then(world.attempt(world.append("b1", Change.ADDED, "s")));
        });
        ALL.put("an entry is erased before its turn while it is copied", world -> {
            world.before(world.append("before"));
            world.migrating("eraser", 0).then(world.erase(1));
            world.migrating("mover", 0).then(World.move(Kind.SEQUENCE)).then(World.copy(1));
        });
        ALL.put("an entry that has moved is erased while it is copied", world -> {
            world.before(world.append("before"));
            world.migrating("eraser", 0).then(World.move(Kind.SEQUENCE)).then(world.erase(1));
            world.migrating("mover", 0).then(World.move(Kind.SEQUENCE)).then(World.copy(1));
        });
        SMALL = ALL.keySet().stream()
                .filter(name -> !name.equals("a subject from before is changed by two migrating processes")
                        && !name.equals("an old process appends while two others move the sequence"))
                .toList();
    }
}
