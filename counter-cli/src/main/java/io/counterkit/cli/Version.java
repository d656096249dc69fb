package io.counterkit.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest tells. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "counter " + (version == null ? "(not from a jar)" : version) + ", Java " + Runtime.version()
        };
    }
}
