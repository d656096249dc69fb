"use strict";
// Keeps the page up to date and sends its forms in the background. Without this script the page works by reloads.
(() => {
  const PENDING = "pending";
  const figures = new Intl.NumberFormat("en-US");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const OLD_SECONDS = 5; // younger totals show no age
  const ages = new Map(); // post → { millis: age of its total, at: when it had this age, by this page's clock }
  let isInTrouble = false;
  const one = (selector, within = document) => within.querySelector(selector);
  const sleep = (millis) => new Promise((wake) => setTimeout(wake, millis));

  function put(element, text) {
    // An unchanged text must not be announced again.
    if (element && element.textContent !== text) {
      element.textContent = text;
    }
  }

  // ---- what is shown

  function show(state) {
    for (const [post, total] of Object.entries(state.totals)) {
      put(one(`.total[data-post="${post}"]`), figures.format(total.value));
      ages.set(post, { millis: total.ageMillis, at: performance.now() });
    }
    showRanking(state);
    for (const cell of document.querySelectorAll("#commits [data-figure]")) {
      const value = state.commits[cell.dataset.figure];
      put(cell, cell.dataset.figure === "perCommit" ? value.toFixed(1) : figures.format(value));
    }
    if (state.orders) {
      const before = one("#last").textContent;
      put(one("#standing"), figures.format(state.orders.live));
      put(one("#standing-noun"), state.orders.live === 1 ? "order stands" : "orders stand");
      put(one("#last"), figures.format(state.orders.last));
      put(one("#last-noun"), `${state.orders.last === 1 ? "number" : "numbers"} issued, without a gap`);
      if (before !== one("#last").textContent) {
        showBook();
      }
    }
    showTrouble(state);
  }

  function showRanking(state) {
    const list = one("#ranking");
    const posts = state.top.filter((post) => state.totals[post] && one(`#post-${post}`));
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
      put(line.lastElementChild, figures.format(state.totals[post].value));
    });
  }

  function showTrouble(state) {
    const trouble = one("#trouble");
    isInTrouble = Boolean(state.troubleSince);
    if (state.troubleSince) {
      put(trouble, `The store cannot be read since ${new Date(state.troubleSince).toLocaleTimeString()}.`
        + " The page shows what was known before. Each button says whether its like or order succeeded.");
    }
    trouble.hidden = !isInTrouble;
  }

  function showAges() {
    for (const [post, age] of ages) {
      const seconds = (age.millis + performance.now() - age.at) / 1000;
      const label = one(`#post-${post} .age`);
      put(label, `≤ ${seconds < 60 ? seconds.toFixed(1) : Math.round(seconds)} s old`);
      label.classList.toggle("old", isInTrouble || seconds >= OLD_SECONDS);
    }
  }

  function showLocalTimes() {
    for (const time of document.querySelectorAll("#book time")) {
      put(time, new Date(time.dateTime).toLocaleString());
      put(one("#book th.at"), "When");
    }
  }

  const nameOf = (element) => element.getAttribute("aria-label") || element.name || element.textContent;

  let booksAsked = 0;

  /** Loads the order book again. The keyboard focus stays where it was. */
  async function showBook() {
    const asked = ++booksAsked;
    try {
      one("#book").setAttribute("aria-busy", "true"); // until it is replaced
      const reply = await fetch("/" + location.search, { headers: { Accept: "text/html" } });
      if (!reply.ok) {
        throw new Error(`status ${reply.status}`);
      }
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (asked !== booksAsked) {
        return; // a newer one was requested meanwhile
      }
      const book = one("#book", page);
      const held = one("#book").contains(document.activeElement) ? document.activeElement : null;
      one("#book").replaceWith(book);
      showLocalTimes();
      const again = held && [...book.querySelectorAll("a, button, input")].find((e) => nameOf(e) === nameOf(held));
      if (again) {
        again.value = held.value;
        again.focus();
      }
    } catch (e) {
      // The next change of the book loads it again.
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

  /** Changes without an answer yet; they survive a reload of the page. */
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

  /** Sends a change until there is an answer, always with the same click, so that it counts once. */
  async function deliver(action, fields, showAnswer) {
    pending.add(fields.click, action, fields);
    let isOpen = false;
    for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
      const answer = await post(action, fields);
      // After an unknown outcome, "not applied" describes the last attempt only.
      if (answer && answer.state !== "UNKNOWN" && !(isOpen && answer.state === "NOT_APPLIED")) {
        pending.remove(fields.click);
        showAnswer(answer);
        return answer;
      }
      isOpen = true;
      showAnswer({ state: "UNKNOWN", why: answer ? "The store did not answer" : "The server does not answer" });
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
      return null; // it may have arrived nevertheless
    }
  }

  /** Returns a function that shows the answer beside the form. */
  function answerView(form, action) {
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
        NOT_APPLIED: action === "/likes" ? "Not counted: nothing happened." : "Nothing was changed: you can try again.",
        REFUSED: "Nothing was changed: it is already done, or not possible.",
        UNKNOWN: `${answer.why}. Finding out …`,
      }[answer.state]);
    };
  }

  function done(action, number) {
    switch (action) {
      case "/orders": return `Your order is number ${figures.format(number)}.`;
      case "/cancellations": return `Cancelled, by number ${figures.format(number)}.`;
      case "/crowd": return "The crowd is clicking.";
      default: return "Counted.";
    }
  }

  // The second click of a double click sends the first one again, with the same token.
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
    const showAnswer = answerView(form, action);
    const button = one("button", form);
    button.dataset.state = "sending";
    const answer = await deliver(action, fields, showAnswer);
    if (answer.state === "NOT_APPLIED") {
      click.value = fields.click;
    } else if (form.closest("#notice")) {
      form.closest("#notice").remove();
    }
  });

  for (const { action, fields } of Object.values(pending.all())) {
    const form = fields.post && one(`#post-${fields.post} form`);
    deliver(action, fields, answerView(form, action));
  }
  for (const output of document.querySelectorAll(".total")) {
    const age = parseFloat(one(".age", output.parentElement).textContent.slice(2));
    if (!Number.isNaN(age)) {
      ages.set(output.dataset.post, { millis: age * 1000, at: performance.now() });
    }
  }
  showLocalTimes();
  setInterval(showAges, calm ? 2000 : 500);
  connect();
})();
