// Small tools for the page's elements.

const figures = new Intl.NumberFormat("en-US");

export const one = (selector, within = document) => within.querySelector(selector);

export const figure = (value) => (value === null ? "–" : figures.format(value));

/** Sets a text; an unchanged one must not be announced again. */
export function put(element, text) {
  if (element && element.textContent !== text) {
    element.textContent = text;
  }
}

/** Returns a moment in local time, without the date if it is today. */
export function localTime(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}
