package io.counterkit.cli;

import picocli.CommandLine.IVersionProvider;

/** Returns the version in the manifest of the jar. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "counter " + (version == null ? "(not from a jar)" : version) + ", Java " + Runtime.version()
        };
    }
}
