// Prints the table of docs/dependencies.md, from the bills of materials that ./mvnw -Prelease package writes.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");
const repository = path.join(os.homedir(), ".m2", "repository");

function jar({ group, name, version }) {
  const file = group === "io.counterkit"
    ? path.join(root, name, "target", `${name}-${version}.jar`)
    : path.join(repository, ...group.split("."), name, version, `${name}-${version}.jar`);
  return fs.existsSync(file) ? fs.statSync(file).size : 0;
}

/** Returns what a project gets with the artifact: not what is optional, nor what only that brings. */
function pulledIn(bom) {
  const components = new Map((bom.components || []).map((component) => [component["bom-ref"], component]));
  const edges = new Map((bom.dependencies || []).map((each) => [each.ref, each.dependsOn || []]));
  const seen = new Set();
  const open = [bom.metadata.component["bom-ref"]];
  while (open.length > 0) {
    for (const ref of edges.get(open.pop()) || []) {
      if (!seen.has(ref) && components.has(ref) && components.get(ref).scope !== "optional") {
        seen.add(ref);
        open.push(ref);
      }
    }
  }
  return [...seen].map((ref) => components.get(ref));
}

// Rounded, since small changes of the code must not change the page.
const size = (bytes) => bytes < 1e6 ? `${Math.ceil(bytes / 1e4) * 10} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

console.log("| artifact | itself | jars with it | in all |\n|---|---|---|---|");
for (const module of fs.readdirSync(root).sort()) {
  const file = path.join(root, module, "target", "bom.json");
  if (!fs.existsSync(file)) {
    continue;
  }
  const bom = JSON.parse(fs.readFileSync(file, "utf8"));
  const own = jar(bom.metadata.component);
  if (own === 0) {
    continue; // a pom
  }
  const others = pulledIn(bom);
  const all = others.reduce((sum, component) => sum + jar(component), own);
  console.log(`| \`${module}\` | ${size(own)} | ${others.length} | ${size(all)} |`);
}
