// Elements of a page that changes several times a second. What stays as it is is not touched: it would be laid out and
// painted again, and a button that is made anew while somebody presses it is never clicked.

export function element(kind, name = "", text = "") {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

// Give an element a text.
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const shows = new WeakMap();

// Whether an element is to be filled anew, since it is to show something else (any JSON) than the last time.
export function changed(element, what) {
  const now = JSON.stringify(what), before = shows.get(element);
  shows.set(element, now);
  return now !== before;
}
