package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
    @Test
    void words_areQuotedWhereAShellWouldChangeThem() {
        assertThat(ShellWords.join(List.of("counter", "--data=/tmp/a", "order 17", "it's", "~ck:a", "$x", "")))
                .isEqualTo("counter --data=/tmp/a 'order 17' 'it'\\''s' '~ck:a' '$x' ''");
    }
}
