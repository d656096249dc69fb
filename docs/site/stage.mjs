// Copies the pages of the repository, with the files that they show, to target/pages. Links to other files of the
// repository become links to its web site. Fails if a page is missing here, or leads nowhere.
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { pages, place, repository } from "./pages.mjs";

const here = import.meta.dirname;
const root = path.join(here, "..", "..");
const target = path.join(here, "target", "pages");
const apidocs = path.join("target", "reports", "apidocs");

fs.rmSync(target, { recursive: true, force: true });

function write(file, content) {
  const to = path.join(target, file);
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, content);
}

const known = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root, encoding: "utf8" })
  .trim().split("\n").filter((page) => fs.existsSync(path.join(root, page)));
const missing = known.filter((page) => !pages.includes(page));
if (missing.length) {
  throw new Error(`not in docs/site/pages.mjs: ${missing.join(", ")}`);
}

function relink(page, to) {
  const [file, anchor] = to.split("#");
  if (/^[a-z]+:/.test(to) || !file) {
    return to;
  }
  const linked = path.posix.normalize(path.posix.join(path.posix.dirname(page), file));
  if (!fs.existsSync(path.join(root, linked))) {
    throw new Error(`${page} links to ${to}, which is missing`);
  }
  if (pages.includes(linked)) {
    const relative = path.posix.relative(path.posix.dirname(place(page)), place(linked));
    return (relative.startsWith(".") ? relative : "./" + relative) + (anchor ? "#" + anchor : "");
  }
  if (/\.(png|svg)$/.test(linked)) {
    write(linked, fs.readFileSync(path.join(root, linked)));
    return file.startsWith(".") ? file : "./" + file;
  }
  return `${repository}/blob/main/${linked}`;
}

for (const page of known) {
  const text = fs.readFileSync(path.join(root, page), "utf8");
  let isCode = false;
  write(place(page), text.split("\n").map((line) => {
    isCode = line.startsWith("```") ? !isCode : isCode;
    return isCode ? line : line.replace(/\]\(([^)\s]+)\)/g, (all, to) => `](${relink(page, to)})`);
  }).join("\n"));
}

const pom = (module) => fs.readFileSync(path.join(root, module, "pom.xml"), "utf8");
const modules = [...pom(".").matchAll(/<module>(counter-.*)<\/module>/g)].map((found) => found[1])
  .filter((module) => fs.existsSync(path.join(root, module, "src", "main", "java")))
  .filter((module) => !pom(module).includes("<maven.javadoc.skip>true<"))
  .sort();
const withoutJavadoc = modules.filter((module) => !fs.existsSync(path.join(root, module, apidocs, "index.html")));
if (withoutJavadoc.length) {
  throw new Error(`no Javadoc of ${withoutJavadoc.join(", ")}`);
}
const rows = modules.map((module) => {
  fs.cpSync(path.join(root, module, apidocs), path.join(target, "public", "javadoc", module), { recursive: true });
  const description = /<description>(.*?)<\/description>/s.exec(pom(module))[1].replace(/\s+/g, " ");
  return `| <a href="./javadoc/${module}/index.html" target="_self">${module}</a> | ${description} |`;
});
write("javadoc.md", `# Javadoc\n\nFor developers who look up a class.\n\n| module | what it has |\n|---|---|\n${rows.join("\n")}\n`);
console.log(`${known.length} pages, Javadoc of ${modules.length} modules`);
