// Searches the built site in Chromium, as a person does. Without ChromeDriver it says so, and fails if it is required.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";

const site = path.join(import.meta.dirname, "target", "site");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

const driver = spawn("chromedriver", ["--port=0"]);
const isThere = await Promise.race([once(driver, "spawn").then(() => true), once(driver, "error").then(() => false)]);
if (!isThere) {
  console.log("there is no chromedriver on the PATH: the search was not tried");
  process.exit(process.env.COUNTERKIT_REQUIRE_BACKENDS === "true" ? 1 : 0);
}

const server = http.createServer((request, response) => {
  const asked = path.join(site, decodeURIComponent(new URL(request.url, "http://site").pathname));
  const file = [asked, asked + ".html", path.join(asked, "index.html")]
    .find((candidate) => fs.existsSync(candidate) && fs.statSync(candidate).isFile());
  response.writeHead(file ? 200 : 404, { "Content-Type": TYPES[path.extname(file || "")] || "application/octet-stream" });
  response.end(file ? fs.readFileSync(file) : "");
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

let output = "";
driver.stdout.on("data", (data) => { output += data; });
const STARTED = /successfully on port (\d+)\./;
while (!STARTED.test(output)) {
  await once(driver.stdout, "data");
}
const address = `http://127.0.0.1:${STARTED.exec(output)[1]}/session`;

async function command(to, body) {
  const reply = await fetch(address + to, { method: "POST", body: JSON.stringify(body) });
  const { value } = await reply.json();
  if (!reply.ok) {
    throw new Error(value.message);
  }
  return value;
}

const run = (session, script, ...args) => command(`/${session}/execute/async`, { script, args });

let failure = null;
try {
  const { sessionId } = await command("", {
    capabilities: { alwaysMatch: { "goog:chromeOptions": { args: ["--headless", "--no-sandbox", "--disable-gpu"] } } },
  });
  await command(`/${sessionId}/timeouts`, { script: 60_000 });
  for (const [words, page] of [["purge tokens", "/docs/operating"], ["TTL policy", "/docs/operating"],
    ["idempotency token", ".html"], ["shard count", "/docs/"]]) {
    await command(`/${sessionId}/url`, { url: `http://127.0.0.1:${server.address().port}/` });
    const found = await run(sessionId, `
      const [words, done] = arguments;
      const until = (selector, use) => {
        const element = document.querySelector(selector);
        return element ? use(element) : requestAnimationFrame(() => until(selector, use));
      };
      const press = () => {
        const button = document.querySelector('.VPNavBarSearch button');
        if (button) { button.click(); }
        if (document.querySelector('.search-input')) { return type(); }
        requestAnimationFrame(press);
      };
      const type = () => until('.search-input', (input) => {
        input.value = words;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        until('.results .result', () => done([...document.querySelectorAll('.results .result')].map((a) => a.getAttribute('href'))));
      });
      press();`, words);
    if (!found.some((link) => link.includes(page))) {
      throw new Error(`the search for "${words}" found ${found}, and not ${page}`);
    }
  }
  await fetch(`${address}/${sessionId}`, { method: "DELETE" });
  console.log("the search finds what is there");
} catch (e) {
  failure = e;
} finally {
  driver.kill();
  server.close();
  server.closeAllConnections();
}
if (failure) {
  throw failure;
}
