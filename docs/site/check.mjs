// Fails if a page of target/site links to a page, an anchor or a file that is not there, or if the search finds nothing.
import fs from "node:fs";
import path from "node:path";

const site = path.join(import.meta.dirname, "target", "site");
const base = process.env.SITE_BASE || "/";
const files = fs.readdirSync(site, { recursive: true }).map(String);
const pages = files.filter((file) => file.endsWith(".html") && !file.startsWith("javadoc" + path.sep));
const anchors = new Map();

function anchorsOf(file) {
  if (!anchors.has(file)) {
    const html = fs.readFileSync(file, "utf8");
    anchors.set(file, new Set([...html.matchAll(/\b(?:id|name)="([^"]*)"/g)].map((match) => match[1])));
  }
  return anchors.get(file);
}

function fileOf(page, to) {
  const absolute = to.startsWith(base) ? to.slice(base.length) : path.join(path.dirname(page), to);
  return [absolute, absolute + ".html", path.join(absolute, "index.html")]
    .map((file) => path.join(site, file || "index.html"))
    .find((file) => fs.existsSync(file) && fs.statSync(file).isFile());
}

let links = 0;
const dead = [];
for (const page of pages) {
  const html = fs.readFileSync(path.join(site, page), "utf8");
  for (const [, link] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
    if (/^(https?|mailto|data):/.test(link)) {
      continue;
    }
    links++;
    const [to, anchor] = decodeURIComponent(link.replaceAll("&amp;", "&")).split("#");
    const file = to ? fileOf(page, to) : path.join(site, page);
    if (!file || (anchor && file.endsWith(".html") && !anchorsOf(file).has(anchor))) {
      dead.push(`${page}: ${link}`);
    }
  }
}
if (dead.length) {
  throw new Error(`dead links:\n${dead.join("\n")}`);
}

// The index of the search: every page of the docs, by its headings.
const index = files.find((file) => /localSearchIndex.*\.js$/.test(file));
const text = index ? fs.readFileSync(path.join(site, index), "utf8") : "";
for (const word of ["docs/guarantees", "docs/operating", "purgetokens", "idempotencytoken", "SPEC"]) {
  if (!text.toLowerCase().includes(word.toLowerCase())) {
    throw new Error(`the search does not know "${word}"`);
  }
}
console.log(`${pages.length} pages, ${links} links, none dead; the search index has ${text.length} characters`);
