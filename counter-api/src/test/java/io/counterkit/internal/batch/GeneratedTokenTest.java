package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Limits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedTokenTest {
    private static final Commit COMMIT =
            new Commit(Duration.ofHours(1), new SecureRandom(), CountersListener.disabled());
    private static final String ID = "AAAAAAAAAAAAAAAAAAAAAA";

    static Stream<GeneratedToken> tokens() {
        return Stream.of(
                        "likes",
                        "a:b::c",
                        "posts/42/likes",
                        " ",
                        "\u2028line",
                        "ünï\uD83D\uDE00",
                        "x".repeat(Limits.MAX_NAME_BYTES))
                .flatMap(name -> Stream.of(
                        GeneratedToken.add(COMMIT, 0, name, 5),
                        GeneratedToken.add(COMMIT, 999_999_999, name, -Limits.MAX_DELTA),
                        GeneratedToken.add(COMMIT, 1, name, Limits.MAX_DELTA),
                        GeneratedToken.append(COMMIT, 23, name),
                        GeneratedToken.other(COMMIT, ChangeTarget.counter(name)),
                        GeneratedToken.other(COMMIT, ChangeTarget.sequence(name))));
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void parse_readsWhatWasHandedOut(GeneratedToken generated) {
        IdempotencyToken handedOut = IdempotencyToken.of(generated.toToken().value());

        assertThat(GeneratedToken.parse(handedOut)).isEqualTo(generated);
        assertThat(generated.commitToken()).isEqualTo(COMMIT.token());
    }

    @Test
    void mark_isPartOfTheToken_untilItIsMade() {
        Commit commit = new Commit(Duration.ofHours(1), new SecureRandom(), CountersListener.disabled());
        String id = commit.id();
        assertThat(commit.tryMark("first")).isTrue();
        assertThat(commit.tryMark("3.17.5.bGlrZXM")).isTrue();
        assertThatThrownBy(() -> commit.tryMark("a:b")).isInstanceOf(IllegalArgumentException.class);
        assertThat(commit.isTokenMade()).isFalse();
        GeneratedToken generated = GeneratedToken.add(commit, 7, "x".repeat(Limits.MAX_NAME_BYTES), -Limits.MAX_DELTA);
        assertThat(commit.tryMark("late")).isFalse();
        assertThat(GeneratedToken.parse(generated.toToken())).isEqualTo(generated);
        assertThat(generated.commitToken()).isEqualTo(commit.token());
        assertThat(Commit.markOf(commit.token())).isEqualTo("3.17.5.bGlrZXM");
        assertThat(Commit.withoutMark(commit.token()).value()).isEqualTo(Commit.TOKEN_PREFIX + id);
        assertThat(Commit.markOf(generated.toToken())).isNull();
        assertThat(Commit.withoutMark(generated.toToken())).isEqualTo(generated.toToken());
        assertThat(Commit.markOf(COMMIT.token())).isNull();
        assertThat(Commit.withoutMark(COMMIT.token())).isEqualTo(COMMIT.token());
    }

    @Test
    void target_isThatOfTheChange() {
        assertThat(GeneratedToken.add(COMMIT, 7, "n", 5).target()).isEqualTo(ChangeTarget.counter("n"));
        assertThat(GeneratedToken.append(COMMIT, 7, "n").target()).isEqualTo(ChangeTarget.append("n", 7));
        assertThat(GeneratedToken.other(COMMIT, ChangeTarget.counter("n")).target())
                .isEqualTo(ChangeTarget.counter("n"));
        assertThat(GeneratedToken.other(COMMIT, ChangeTarget.sequence("n")).target())
                .isEqualTo(ChangeTarget.sequence("n"));
    }

    @Test
    void tokensOfOneCommitDiffer() {
        assertThat(List.of(
                        GeneratedToken.add(COMMIT, 0, "n", 5),
                        GeneratedToken.add(COMMIT, 1, "n", 5),
                        GeneratedToken.append(COMMIT, 0, "n"),
                        GeneratedToken.other(COMMIT, ChangeTarget.counter("n")),
                        GeneratedToken.other(COMMIT, ChangeTarget.sequence("n"))))
                .extracting(GeneratedToken::toToken)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"order-1", "ck:a", "~CK:a", "~c", " ~ck:a:" + ID + ":0:5:n"})
    void parse_returnsNullForACallersToken(String value) {
        assertThat(GeneratedToken.parse(IdempotencyToken.of(value))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "~ck:",
                "~ck:" + ID,
                "~ck:x:" + ID + ":0:5:n",
                "~ck:a:" + ID + "A:0:5:n",
                "~ck:a:AAAA:0:5:n",
                "~ck:a:" + ID + ":-1:5:n",
                "~ck:a:" + ID + ":1234567890:5:n",
                "~ck:a:" + ID + ":0:+5:n",
                "~ck:a:" + ID + ":0:5:",
                "~ck:a:" + ID + ":0:5",
                "~ck:a:" + ID + ":0:9007199254740993:n",
                "~ck:a:" + ID + ":0:99999999999999999:n"
            })
    void malformedToken_isRefused(String value) {
        assertThatThrownBy(() -> GeneratedToken.parse(IdempotencyToken.of(value)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tooLongName_isRefused() {
        String value = "~ck:a:" + ID + ":0:5:" + "x".repeat(Limits.MAX_NAME_BYTES + 1);

        assertThatThrownBy(() -> GeneratedToken.parse(IdempotencyToken.of(value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name in token");
    }
}
