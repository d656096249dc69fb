package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The tokens of commits that were applied. Each of them has to resolve as applied from then on. */
final class AppliedCommits {
    private final List<Applied> commits = new ArrayList<>();

    private record Applied(IdempotencyToken token, ChangeTarget target, Object answer) {
        void check(Resolution resolution, String doing) {
            if (answer instanceof Entry entry) {
                assertThat(resolution).as(doing).isEqualTo(new Resolution.Appended(target.name(), entry.number()));
            } else {
                assertThat(resolution.applied())
                        .as("%s: whether it is applied: %s", doing, resolution)
                        .isTrue();
            }
        }
    }

    void add(IdempotencyToken token, ChangeTarget target, Object answer) {
        commits.add(new Applied(token, target, answer));
    }

    /** Resolves the token of each commit. */
    void compare(CounterBackend process, Supplier<Commit> resolving, String doing) {
        for (int i = 0; i < commits.size(); i++) {
            Applied each = commits.get(i);
            Resolution resolution = process.resolve(each.token(), each.target(), resolving.get())
                    .join();
            each.check(resolution, doing + ", then the resolution of commit " + (i + 1));
        }
    }
}
