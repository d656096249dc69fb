import { defineConfig } from "vitepress";
import { groups, place, repository } from "../pages.mjs";

const link = (page) => "/" + place(page).replace(/(index)?\.md$/, "");

/** Makes the anchors of headings as GitHub does, so that a link works in both places. */
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");

export default defineConfig({
  title: "CounterKit",
  description: "Durable, exact counters and gapless sequences for Java",
  lang: "en",
  base: process.env.SITE_BASE || "/",
  srcDir: "target/pages",
  outDir: "target/site",
  cacheDir: "target/cache",
  markdown: { anchor: { slugify }, theme: { light: "github-light", dark: "github-dark" } },
  themeConfig: {
    // The index is part of the site; no server and no service is asked.
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guarantees", link: "/docs/guarantees" },
      { text: "Javadoc", link: "/javadoc" },
      { text: "Repository", link: repository },
    ],
    sidebar: Object.entries(groups).map(([text, group]) => ({
      text,
      items: Object.entries(group).map(([page, title]) => ({ text: title, link: link(page) })),
    })),
  },
});
