"use strict";
// Keeps the page up to date, and sends its forms without leaving it. Everything here works without it, with reloads.
(() => {
  const PENDING = "pending";
  const figures = new Intl.NumberFormat("en-US");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const ages = new Map(); // post → { millis: how old its total was, at: when that was, by this page's clock }
  const one = (selector, within = document) => within.querySelector(selector);
  const sleep = (millis) => new Promise((wake) => setTimeout(wake, millis));

  function put(element, text) {
    // Only what changes, or else it would be read aloud again and again.
    if (element && element.textContent !== text) {
      element.textContent = text;
    }
  }

  // ---- what is shown

  function show(seen) {
    for (const [post, total] of Object.entries(seen.totals)) {
      put(one(`.total[data-post="${post}"]`), figures.format(total.value));
      ages.set(post, { millis: total.ageMillis, at: performance.now() });
    }
    showRanking(seen);
    for (const cell of document.querySelectorAll("#commits [data-figure]")) {
      const value = seen.commits[cell.dataset.figure];
      put(cell, cell.dataset.figure === "perCommit" ? value.toFixed(1) : figures.format(value));
    }
    if (seen.orders) {
      const before = one("#last").textContent;
      put(one("#standing"), figures.format(seen.orders.live));
      put(one("#last"), figures.format(seen.orders.last));
      if (before !== one("#last").textContent) {
        showBook();
      }
    }
    showTrouble(seen);
  }

  function showRanking(seen) {
    const list = one("#ranking");
    const posts = seen.top.filter((post) => seen.totals[post] && one(`#post-${post}`));
    while (list.children.length > posts.length) {
      list.lastElementChild.remove();
    }
    posts.forEach((post, i) => {
      let line = list.children[i];
      if (!line) {
        line = document.createElement("li");
        line.append(document.createElement("a"), " ", document.createElement("span"));
        list.append(line);
      }
      line.firstElementChild.setAttribute("href", `#post-${post}`);
      put(line.firstElementChild, one(`#post-${post} .author`).textContent);
      put(line.lastElementChild, figures.format(seen.totals[post].value));
    });
  }

  function showTrouble(seen) {
    const trouble = one("#trouble");
    if (seen.troubleSince) {
      const since = new Date(seen.troubleSince).toISOString().slice(11, 19);
      put(trouble, `The store cannot be read since ${since} UTC. What you see is what was known before;`
        + " whether a like or an order goes through, its button will say.");
    }
    trouble.hidden = !seen.troubleSince;
  }

  function showAges() {
    for (const [post, age] of ages) {
      const seconds = (age.millis + performance.now() - age.at) / 1000;
      put(one(`#post-${post} .age`), `≤ ${seconds < 60 ? seconds.toFixed(1) : Math.round(seconds)} s old`);
    }
  }

  const nameOf = (element) => element.getAttribute("aria-label") || element.name || element.textContent;

  let booksAsked = 0;

  /** Shows the order book anew; where the keyboard was in it, it stays. */
  async function showBook() {
    const asked = ++booksAsked;
    try {
      one("#book").setAttribute("aria-busy", "true"); // until another is in its place
      const reply = await fetch("/" + location.search, { headers: { Accept: "text/html" } });
      if (!reply.ok) {
        throw new Error(`status ${reply.status}`);
      }
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (asked !== booksAsked) {
        return; // it is older than one that was asked for meanwhile
      }
      const book = one("#book", page);
      const held = one("#book").contains(document.activeElement) ? document.activeElement : null;
      one("#book").replaceWith(book);
      const again = held && [...book.querySelectorAll("a, button, input")].find((e) => nameOf(e) === nameOf(held));
      if (again) {
        again.value = held.value;
        again.focus();
      }
    } catch (e) {
      // The next change of the book tries again.
      if (asked === booksAsked) {
        one("#book")?.removeAttribute("aria-busy");
      }
    }
  }

  function connect() {
    const status = one("#status");
    const source = new EventSource("/live");
    source.onmessage = (event) => {
      status.className = "live";
      put(one("#state"), "live");
      show(JSON.parse(event.data));
    };
    source.onerror = () => {
      status.className = "away";
      put(one("#state"), "no connection to the server; trying again");
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(connect, 3000);
      }
    };
  }

  // ---- what is sent

  /** What was sent and has no answer yet outlives a reload of the page. */
  const pending = {
    all: () => JSON.parse(sessionStorage.getItem(PENDING) || "{}"),
    write(change) {
      const all = this.all();
      change(all);
      sessionStorage.setItem(PENDING, JSON.stringify(all));
    },
    add(click, action, fields) {
      this.write((all) => { all[click] = { action, fields }; });
    },
    remove(click) {
      this.write((all) => { delete all[click]; });
    },
  };

  /** Sends until there is an answer, always with the same click: so it counts once. */
  async function deliver(action, fields, tell) {
    pending.add(fields.click, action, fields);
    let isOpen = false;
    for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
      const answer = await post(action, fields);
      // After an attempt of unknown outcome, "not applied" speaks of the last one only.
      if (answer && answer.state !== "UNKNOWN" && !(isOpen && answer.state === "NOT_APPLIED")) {
        pending.remove(fields.click);
        tell(answer);
        return answer;
      }
      isOpen = true;
      tell({ state: "UNKNOWN", why: answer ? "The store did not say whether it arrived" : "The server does not answer" });
      await sleep(pause);
    }
  }

  async function post(action, fields) {
    try {
      const reply = await fetch(action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(fields),
      });
      const type = reply.headers.get("Content-Type") || "";
      if (type.startsWith("application/json")) {
        return await reply.json();
      }
      return reply.status < 500 ? { state: "REFUSED", why: await reply.text() } : null;
    } catch (e) {
      return null; // it may have arrived all the same
    }
  }

  function teller(form, action) {
    const place = form && form.isConnected && !form.closest("#book")
      ? form.parentElement
      : one(action === "/likes" ? "#wall" : action === "/crowd" ? "aside" : "#orders");
    const said = one(".said", place);
    const button = form && one("button", form);
    const label = button && one(".label", button);
    return (answer) => {
      const failed = answer.state === "NOT_APPLIED";
      if (button) {
        button.dataset.state = failed ? "failed" : answer.state === "UNKNOWN" ? "sending" : "";
      }
      if (label) {
        put(label, failed ? "Try again" : "Like");
      }
      said.className = "said " + { APPLIED: "done", UNKNOWN: "unknown" }[answer.state];
      if (answer.state === "NOT_APPLIED" || answer.state === "REFUSED") {
        said.className = "said failed";
      }
      said.title = answer.why || "";
      put(said, {
        APPLIED: done(action, answer.number),
        NOT_APPLIED: action === "/likes" ? "Not counted: nothing happened." : "Nothing happened: you can try again.",
        REFUSED: "Nothing happened: it is done already, or makes no sense.",
        UNKNOWN: `${answer.why}. Finding out …`,
      }[answer.state]);
    };
  }

  function done(action, number) {
    switch (action) {
      case "/orders": return `Your order is number ${figures.format(number)}.`;
      case "/cancellations": return `Cancelled, by number ${figures.format(number)}.`;
      case "/crowd": return "The crowd is on its way.";
      default: return "Counted.";
    }
  }

  // The second click of a double click repeats the first one, with the same token.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.form) {
      button.form.isRepeat = event.detail > 1;
    }
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post") {
      return;
    }
    event.preventDefault();
    const click = form.elements.click;
    const fields = Object.fromEntries(new FormData(form));
    if (form.isRepeat && form.lastClick) {
      fields.click = form.lastClick;
    } else {
      form.lastClick = fields.click;
      click.value = crypto.randomUUID();
    }
    const action = new URL(form.action).pathname;
    const tell = teller(form, action);
    const button = one("button", form);
    button.dataset.state = "sending";
    const answer = await deliver(action, fields, tell);
    if (answer.state === "NOT_APPLIED") {
      click.value = fields.click;
    } else if (form.closest("#notice")) {
      form.closest("#notice").remove();
    }
  });

  for (const { action, fields } of Object.values(pending.all())) {
    const form = fields.post && one(`#post-${fields.post} form`);
    deliver(action, fields, teller(form, action));
  }
  for (const output of document.querySelectorAll(".total")) {
    const age = parseFloat(one(".age", output.parentElement).textContent.slice(2));
    if (!Number.isNaN(age)) {
      ages.set(output.dataset.post, { millis: age * 1000, at: performance.now() });
    }
  }
  setInterval(showAges, calm ? 2000 : 500);
  connect();
})();
