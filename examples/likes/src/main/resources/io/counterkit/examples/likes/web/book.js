// The order book, which is replaced as a whole.
import { localTime, one, put } from "./dom.js";

let requests = 0;
let requested = -1; // the last number that the newest request is for
let waiting = null; // the last number of a newer book, which is shown once the pointer leaves this one

const nameOf = (element) => element.getAttribute("aria-label") || element.name || element.textContent;

export function showLocalTimes() {
  for (const time of document.querySelectorAll("#book time")) {
    const date = new Date(time.dateTime);
    put(time, localTime(date));
    time.title = date.toString();
  }
  put(one("#book th.at"), "When");
}

/** Shows the book that ends with this number. Waits while the pointer is on the old one, so that no button moves away. */
export function showBook(last) {
  if (Number(one("#book").dataset.last) === last || requested === last) {
    return;
  }
  if (one("#book").matches(":hover")) {
    waiting = last;
  } else {
    load(last);
  }
}

/** Shows the book after a change by this page. */
export function showOwnBook(last) {
  load(last);
}

/** Loads the book. The keyboard focus stays where it was. */
async function load(last) {
  const request = ++requests;
  requested = last;
  waiting = null;
  try {
    one("#book").setAttribute("aria-busy", "true"); // until it is replaced
    const reply = await fetch("/" + location.search, { headers: { Accept: "text/html" } });
    if (!reply.ok) {
      throw new Error(`status ${reply.status}`);
    }
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (request !== requests) {
      return; // a newer one was requested in the meantime
    }
    replace(one("#book", page));
  } catch (e) {
    if (request === requests) {
      one("#book")?.removeAttribute("aria-busy"); // the next state from the server loads it again
    }
  } finally {
    if (request === requests) {
      requested = -1;
    }
  }
}

function replace(book) {
  const held = one("#book").contains(document.activeElement) ? document.activeElement : null;
  one("#book").replaceWith(book);
  showLocalTimes();
  const again = held && [...book.querySelectorAll("a, button, input")].find((e) => nameOf(e) === nameOf(held));
  if (again) {
    again.value = held.value;
    again.focus();
  }
}

document.addEventListener("pointerover", (event) => {
  if (waiting !== null && !event.target.closest("#book")) {
    load(waiting);
  }
});
