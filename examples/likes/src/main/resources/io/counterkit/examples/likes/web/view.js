// Shows the state that the server sends. Screen readers do not announce it, since no action of the user caused it.
import { figure, localTime, one, put } from "./dom.js";
import { showBook, showLocalTimes } from "./book.js";

const OLD_SECONDS = 5; // younger totals show no age
const MINE = "mine"; // post → how often it was liked in this browser
const ages = new Map(); // post → { millis: age of its total, at: when it had this age, by this page's clock }

const health = { isConnected: true, troubleSince: null, isBroken: false, isKnown: false };

function showHealth() {
  const element = one("#health");
  const [kind, text, title] = !health.isConnected
    ? ["away", "no connection; trying again", "The page shows what was known before. A like is sent when the server is back."]
    : health.troubleSince
      ? ["trouble", `cannot be read since ${localTime(new Date(health.troubleSince))}`,
        "The page shows what was known before. Each button says whether its like or order succeeded."]
      : health.isBroken
        ? ["broken", "live; every other reply is dropped", "Likes and orders take longer, and count once."]
        : ["live", "live", "Totals are a few seconds old at most."];
  element.className = kind;
  element.title = title;
  put(element, text);
}

export function showLostConnection() {
  health.isConnected = false;
  showHealth();
  showAges();
}

export function show(state) {
  for (const [post, total] of Object.entries(state.totals)) {
    const label = one(`.total[data-post="${post}"]`);
    if (label) {
      if (total.value < valueOf(label)) {
        forgetMine(post); // another store
      }
      put(label, figure(total.value));
      ages.set(post, { millis: total.ageMillis, at: performance.now() });
      showMine(post);
    }
  }
  showRanking(state);
  showFigures("#commits", { ...state.commits, perCommit: null });
  put(one("[data-figure=perCommit]"), state.commits.perCommit.toFixed(1));
  showBreakage(state.breakage);
  if (state.orders) {
    put(one("#standing"), figure(state.orders.live));
    put(one("#standing-noun"), state.orders.live === 1 ? "order stands" : "orders stand");
    put(one("#last"), figure(state.orders.last));
    put(one("#last-noun"), `${state.orders.last === 1 ? "number" : "numbers"} issued, without a gap`);
    showBook(state.orders.last);
  }
  health.isConnected = true;
  health.troubleSince = state.troubleSince;
  health.isBroken = state.breakage.isOn;
  showHealth();
  showAges();
}

function showFigures(within, values) {
  for (const cell of document.querySelectorAll(`${within} [data-figure]`)) {
    if (cell.dataset.figure !== "perCommit") {
      put(cell, figure(values[cell.dataset.figure]));
    }
  }
}

function showBreakage(breakage) {
  const card = one("#breakage");
  showFigures("#breakage", breakage);
  card.classList.toggle("broken", breakage.isOn);
  one("[name=on]", card).value = breakage.isOn ? "0" : "1";
  put(one("button", card), breakage.isOn ? "Deliver all replies again" : "Drop every other reply");
}

function showRanking(state) {
  const list = one("#ranking");
  const ranks = state.ranking.filter((rank) => one(`#post-${rank.post}`));
  while (list.children.length > ranks.length) {
    list.lastElementChild.remove();
  }
  ranks.forEach((rank, i) => {
    let line = list.children[i];
    if (!line) {
      line = document.createElement("li");
      for (const [tag, kind] of [["span", "place"], ["a", ""], ["span", "number"]]) {
        line.append(Object.assign(document.createElement(tag), { className: kind }), " ");
      }
      list.append(line);
    }
    put(one(".place", line), rank.place);
    one("a", line).setAttribute("href", `#post-${rank.post}`);
    put(one("a", line), one(`#post-${rank.post} .author`).textContent);
    put(one(".number", line), figure(state.totals[rank.post].value));
  });
  put(one("#unliked"), state.unliked.length ? `No likes yet: ${state.unliked.join(", ")}` : "");
}

// ---- ages

export function showAges() {
  for (const [post, age] of ages) {
    const seconds = Math.ceil((age.millis + performance.now() - age.at) / 1000);
    const label = one(`#post-${post} .age`);
    const text = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
    put(label, `up to ${text} old`);
    label.title = `This total was right at some moment within the last ${text}.`;
    label.classList.toggle("old", seconds > OLD_SECONDS || !health.isConnected || Boolean(health.troubleSince));
  }
}

// ---- my own likes

const mine = () => JSON.parse(localStorage.getItem(MINE) || "{}");

const valueOf = (label) => Number(label.textContent.replace(/\D/g, ""));

export function addMine(post) {
  const all = mine();
  localStorage.setItem(MINE, JSON.stringify({ ...all, [post]: (all[post] || 0) + 1 }));
  showMine(post);
}

function forgetMine(post) {
  localStorage.setItem(MINE, JSON.stringify({ ...mine(), [post]: 0 }));
}

function showMine(post) {
  const card = one(`#post-${post}`);
  // The total may be older than the like.
  const count = Math.min(mine()[post] || 0, valueOf(one(".total", card)));
  one("button", card).classList.toggle("liked", count > 0);
  put(one(".mine", card), count > 0 ? `${figure(count)} by you` : "");
}

/** Takes over the totals and ages of a page that the server rendered. */
export function adopt() {
  for (const label of document.querySelectorAll(".total")) {
    const post = label.dataset.post;
    const age = parseFloat(one(".age", label.parentElement).dataset.seconds);
    if (!Number.isNaN(age)) {
      ages.set(post, { millis: age * 1000, at: performance.now() });
    }
    if (one("#health").className !== "trouble" && valueOf(label) < (mine()[post] || 0)) {
      forgetMine(post);
    }
    showMine(post);
  }
  showLocalTimes();
}
