package io.counterkit.cli.single;

import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.CounterDescription.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the shards of a counter: the part of the total that each holds, and how many are recommended. */
final class FirestoreShards {
    private FirestoreShards() {}

    /** Returns the lines after the total, for people. */
    static List<String> lines(CounterDescription read) {
        List<String> lines = new ArrayList<>();
        if (!read.isThere() && !read.shards().isEmpty()) {
            lines.add("document     none, so the counter is not listed");
        }
        if (read.seal() != null && !read.shards().isEmpty()) {
            lines.add("late         the total does not include the shards below, which were written after the seal");
        }
        lines.add("shards       "
                + (read.shardCount() == null ? "" : Figures.grouped(read.shardCount()) + " in use, ")
                + Figures.grouped(read.shards().size()) + " there");
        if (!read.unsound().isEmpty()) {
            lines.add("wrong        " + Figures.count(read.unsound().size(), "shard", "shards")
                    + " without a whole number, which the total does not include");
        }
        lines.add("advice       " + Figures.count(read.advice().shards(), "shard", "shards") + ": "
                + read.advice().reason());
        for (Shard shard : read.shards()) {
            lines.add(
                    shard.isSound()
                            ? String.format(
                                    Locale.ROOT, "%11s  %20s  %5.1f %%", shard.id(), shard.count(), 100 * shard.share())
                            : String.format(Locale.ROOT, "%11s  %20s  wrong", shard.id(), text(shard)));
        }
        return lines;
    }

    private static String text(Shard shard) {
        return shard.count() instanceof String text ? Json.quoted(text) : String.valueOf(shard.count());
    }

    /** Returns the same for programs. */
    static Json json(CounterDescription read) {
        return Json.object()
                .with("document", read.isThere())
                .with("shardCount", read.shardCount())
                .with("sealedAt", read.seal() == null ? null : read.seal().last())
                .with("forward", read.seal() == null ? null : read.seal().forward())
                .with("writesLately", read.writesLately())
                .with("advice", read.advice())
                .with(
                        "shards",
                        read.shards().stream()
                                .map(shard -> Json.object()
                                        .with("id", shard.id())
                                        .with("count", shard.isSound() ? shard.count() : null)
                                        .with("share", shard.share())
                                        .with("wrong", shard.isSound() ? null : text(shard)))
                                .toList());
    }
}
