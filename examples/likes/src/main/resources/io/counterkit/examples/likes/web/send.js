// Sends the page's forms in the background, each until there is an answer. Only these answers are announced.
import { figure, one, put } from "./dom.js";
import { showOwnBook } from "./book.js";
import { addMine } from "./view.js";

const PENDING = "pending";
const SLOW_MILLIS = 1000;
const LONGEST_MILLIS = 60_000;
const NOTICE_MILLIS = 8000;
const OPEN = { state: "UNKNOWN", why: "It counts once, however often the page has to send it." };
const retries = new Set(); // ends the wait of each change for its answer or its next attempt
const counted = new Set(); // the clicks whose likes were marked

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

/** Sends all changes without an answer again, since the connection is back. */
export function sendAgain() {
  for (const retry of [...retries]) {
    retry();
  }
}

/** Waits for the given time, for the result of start, or until the connection is back. */
async function untilBack(millis, start) {
  let retry = null;
  let timer = null;
  const back = new Promise((resolve) => {
    retry = () => resolve(null);
    retries.add(retry);
    timer = setTimeout(resolve, millis, null);
  });
  try {
    return await Promise.race(start ? [start(), back] : [back]);
  } finally {
    retries.delete(retry);
    clearTimeout(timer);
  }
}

/** Sends a change until there is an answer, always with the same click, so that it counts once. */
async function deliver(action, fields, showAnswer) {
  pending.add(fields.click, action, fields);
  let isOpen = false;
  for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
    const slow = setTimeout(showAnswer, SLOW_MILLIS, OPEN);
    const stop = new AbortController();
    const answer = await untilBack(LONGEST_MILLIS, () => post(action, fields, stop.signal));
    stop.abort();
    clearTimeout(slow);
    // After an unknown outcome, "not applied" describes the last attempt only.
    if (answer && answer.state !== "UNKNOWN" && !(isOpen && answer.state === "NOT_APPLIED")) {
      pending.remove(fields.click);
      noteMine(action, fields, answer);
      showAnswer(answer);
      return answer;
    }
    isOpen = true;
    showAnswer(OPEN);
    await untilBack(pause);
  }
}

async function post(action, fields, signal) {
  try {
    const reply = await fetch(action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(fields),
      signal,
    });
    const type = reply.headers.get("Content-Type") || "";
    if (type.startsWith("application/json")) {
      return await reply.json();
    }
    return reply.status < 500 ? { state: "REFUSED", why: await reply.text() } : null;
  } catch (e) {
    return null; // the request may have arrived
  }
}

function noteMine(action, fields, answer) {
  if (action === "/likes" && answer.state === "APPLIED" && !counted.has(fields.click)) {
    counted.add(fields.click);
    addMine(fields.post);
  }
  if (answer.number > 0) {
    showOwnBook(answer.number);
  }
}

/** Returns a function that shows the answer beside the form. */
function answerView(form, action) {
  const place = form && form.isConnected && !form.closest("#book, #notice")
    ? form.parentElement
    : one({ "/likes": "#wall", "/crowd": "#crowd", "/breakage": "#breakage" }[action] || "#orders");
  const said = one(".said", place);
  const button = form && one("button", form);
  const label = button && one(".label", button);
  return (answer) => {
    const failed = answer.state === "NOT_APPLIED";
    if (button) {
      button.dataset.state = failed ? "failed" : answer.state === "UNKNOWN" ? "sending" : "";
    }
    if (label) {
      put(label, failed ? "Again" : "Like");
    }
    said.className = "said " + { APPLIED: "done", UNKNOWN: "unknown" }[answer.state];
    if (answer.state === "NOT_APPLIED" || answer.state === "REFUSED") {
      said.className = "said failed";
    }
    said.title = answer.why || "";
    put(said, {
      APPLIED: done(action, answer.number),
      NOT_APPLIED: action === "/likes" ? "Not counted: nothing happened." : "Nothing changed: you can try again.",
      REFUSED: "Nothing changed: already done, or not possible.",
      UNKNOWN: "No answer yet: finding out …",
    }[answer.state]);
    clearTimeout(said.end);
    if (answer.state !== "UNKNOWN") {
      said.end = setTimeout(() => put(said, ""), NOTICE_MILLIS);
    }
  };
}

function done(action, number) {
  switch (action) {
    case "/orders": return `Your order is number ${figure(number)}.`;
    case "/cancellations": return `Cancelled, by number ${figure(number)}.`;
    case "/crowd": return "They are clicking.";
    case "/breakage": return "Done.";
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
  one("button", form).dataset.state = "sending";
  const answer = await deliver(action, fields, showAnswer);
  if (answer.state === "NOT_APPLIED") {
    click.value = fields.click;
  } else if (form.closest("#notice")) {
    form.closest("#notice").remove();
  }
});

/** Sends the changes that the last page did not deliver, and removes the message about its form after a while. */
export function resume() {
  for (const { action, fields } of Object.values(pending.all())) {
    const form = fields.post && action === "/likes" && one(`#post-${fields.post} form`);
    deliver(action, fields, answerView(form, action));
  }
  const notice = one("#notice");
  if (notice && !one("form", notice)) {
    setTimeout(() => notice.remove(), NOTICE_MILLIS);
  }
}
