package io.counterkit.examples.likes.web;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.counterkit.Tail;
import io.counterkit.examples.likes.wall.Answer;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.examples.likes.wall.Commits;
import io.counterkit.examples.likes.wall.Post;
import io.counterkit.examples.likes.wall.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The messages to the page's script. */
final class Json {
    static final String CONTENT_TYPE = "application/json; charset=utf-8";

    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private Json() {}

    static String of(Answer answer) {
        return GSON.toJson(answer);
    }

    static String of(Snapshot snapshot) {
        long now = System.nanoTime();
        Map<String, TotalMessage> totals = new TreeMap<>();
        snapshot.totals()
                .forEach((post, total) -> totals.put(
                        post,
                        new TotalMessage(total.reading().value(), total.age(now).toMillis())));
        Commits.Figures commits = snapshot.commits();
        Tail orders = snapshot.orders();
        return GSON.toJson(new SnapshotMessage(
                totals,
                snapshot.ranking().stream()
                        .map(rank -> new RankMessage(rank.post().id(), place(rank)))
                        .toList(),
                snapshot.unliked().stream().map(Post::author).toList(),
                orders == null ? null : new OrdersMessage(orders.last(), orders.liveCount()),
                new CommitsMessage(commits.commits(), commits.adds(), commits.largest(), commits.perCommit()),
                snapshot.breakage(),
                snapshot.troubleSince() == null ? null : snapshot.troubleSince().toEpochMilli()));
    }

    /** Returns a place as people write it: "2", or "2=" if it is shared. */
    static String place(Snapshot.Rank rank) {
        return rank.place() + (rank.isTied() ? "=" : "");
    }

    private record SnapshotMessage(
            Map<String, TotalMessage> totals,
            List<RankMessage> ranking,
            List<String> unliked,
            @Nullable OrdersMessage orders,
            CommitsMessage commits,
            Breakage.Figures breakage,
            @Nullable Long troubleSince) {}

    private record RankMessage(String post, String place) {}

    private record TotalMessage(long value, long ageMillis) {}

    private record OrdersMessage(long last, long live) {}

    private record CommitsMessage(long commits, long adds, int largest, double perCommit) {}
}
