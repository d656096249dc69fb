package io.counterkit.cli;

import java.util.Locale;
import java.util.ResourceBundle;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.Model.CommandSpec;

/** Loads the texts in {@code help.properties}, and only if help is printed. */
final class HelpTexts implements IHelpFactory {
    @Override
    public Help create(CommandSpec command, Help.ColorScheme colors) {
        CommandLine root = command.root().commandLine();
        if (root.getResourceBundle() == null) {
            root.setResourceBundle(bundle());
        }
        return new Help(command, colors);
    }

    static ResourceBundle bundle() {
        return ResourceBundle.getBundle("io.counterkit.cli.help", Locale.ROOT);
    }
}
