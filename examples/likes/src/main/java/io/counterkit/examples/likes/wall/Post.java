package io.counterkit.examples.likes.wall;

import java.util.List;

/**
 * A post that can be liked.
 *
 * @param id the part of its counter's name that identifies it
 * @param author its author
 * @param text its text
 */
public record Post(String id, String author, String text) {
    /** Returns the posts of this example. */
    public static List<Post> wall() {
        return List.of(
                new Post("lost-reply", "Ada", "Retried a lost reply nine times today. It still counted once."),
                new Post("gapless", "Grace", "Invoice 1,000 came right after invoice 999. I framed them both."),
                new Post(
                        "hot-counter", "Edsger", "A thousand people liked one post, and the store saw twelve commits."),
                new Post("honest", "Barbara", "“I do not know yet” is a perfectly good answer. Zero is not."),
                new Post("restart", "Margaret", "Pulled the plug in the middle of a sale. Every order was there."),
                new Post("sharded", "Leslie", "Ten shards walk into a bar. The bill is one exact sum."));
    }

    /** Returns the name of its counter. */
    public String counter() {
        return "posts/" + id + "/likes";
    }
}
