import fs from "node:fs";

/** The address of the repository, which the root pom sets. */
export const repository = /<repository\.url>(.*?)<\/repository\.url>/
  .exec(fs.readFileSync(new URL("../../pom.xml", import.meta.url), "utf8"))[1];

// The pages of the site, by their place in the side bar. A page of the repository that is not here fails the build.
export const groups = {
  Start: { "README.md": "CounterKit", "examples/likes/README.md": "Example", "examples/spring-boot/README.md": "Example with Spring Boot" },
  Use: {
    "docs/guarantees.md": "Guarantees",
    "docs/testing.md": "Testing",
    "docs/firestore.md": "Firestore",
    "docs/jdbc.md": "PostgreSQL and SQLite",
    "docs/datastore.md": "Datastore",
    "docs/spring-boot.md": "Spring Boot",
    "docs/guice.md": "Guice",
    "docs/dependencies.md": "Dependencies",
    "javadoc.md": "Javadoc",
  },
  Run: {
    "docs/operating.md": "Operating",
    "docs/migration.md": "Migration",
    "docs/from-the-firebase-extension.md": "From the Firebase extension",
    "docs/command-line.md": "Command line",
    "docs/performance.md": "Performance",
    "counter-benchmarks/README.md": "Benchmarks",
  },
  Extend: {
    "docs/writing-a-backend.md": "Writing a backend",
    "counter-tck/README.md": "Contract kit",
    "SPEC.md": "Contract",
    "docs/mutation-testing.md": "Mutation testing",
    "counter-firestore-emulator/README.md": "Firestore emulator",
  },
  Project: {
    "CONTRIBUTING.md": "Contributing",
    "CHANGELOG.md": "Changelog",
    "SECURITY.md": "Security",
  },
};

export const pages = Object.values(groups).flatMap((group) => Object.keys(group));

/** Returns the path of a page in the site. */
export const place = (page) => page.replace(/(^|\/)README\.md$/, "$1index.md");
