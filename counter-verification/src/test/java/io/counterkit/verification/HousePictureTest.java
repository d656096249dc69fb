package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The picture in CONTRIBUTING.md is drawn from the classes; {@code -Dcounterkit.picture=write} draws it again. */
class HousePictureTest {
    private static final String START = "<!-- drawn by HousePictureTest -->\n```\n";
    private static final String END = "```\n";

    @Test
    void pictureShowsTheHouse() throws Exception {
        String drawn = HousePicture.draw(ProjectClasses.ALL);
        Path file = Page.ROOT.resolve("CONTRIBUTING.md");
        String page = Files.readString(file);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END, start);
        if ("write".equals(System.getProperty("counterkit.picture"))) {
            Files.writeString(file, page.substring(0, start) + drawn + page.substring(end));
        } else {
            assertThat(page.substring(start, end))
                    .as("the picture in CONTRIBUTING.md; to draw it again, run this test with"
                            + " -Dcounterkit.picture=write")
                    .isEqualTo(drawn);
        }
    }
}
