import { defineConfig } from "vitepress";
import { groups, place } from "../pages.mjs";

const link = (page) => "/" + place(page).replace(/(index)?\.md$/, "");

export default defineConfig({
  title: "CounterKit",
  description: "Durable, exact counters and gapless sequences for Java",
  lang: "en",
  base: process.env.SITE_BASE || "/",
  srcDir: "target/pages",
  outDir: "target/site",
  cacheDir: "target/cache",
  markdown: { theme: { light: "github-light", dark: "github-dark" } },
  themeConfig: {
    // The index is part of the site; no server and no service is asked.
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guarantees", link: "/docs/guarantees" },
      { text: "Javadoc", link: "/javadoc" },
      { text: "Repository", link: "https://github.com/counterkit/counterkit" },
    ],
    sidebar: Object.entries(groups).map(([text, group]) => ({
      text,
      items: Object.entries(group).map(([page, title]) => ({ text: title, link: link(page) })),
    })),
  },
});
