// Shared by every component: elements from text only, and the one line to the server.

const bus = (globalThis.__footprint ??= {
  early: [],
  call: 1,
  calls: 1,
  send(command) {
    this.early.push(command);
    return 0;
  },
});

// Run content reaches the page here, as text nodes and never as markup.
const el = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined && text !== null) made.textContent = text;
  return made;
};

// Sets what differs, so that an unchanged element is not touched (focus, selection and scroll stay).
const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};
const setAttr = (element, name, value) => {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, String(value));
  }
};

// Whether a key pressed here is being typed, or belongs to a widget that uses it.
const deepTarget = (event) => event.composedPath()[0];
const isTyping = (target) =>
  target instanceof Element &&
  (target.closest("input:not([type=checkbox]):not([type=radio]),textarea,select,[contenteditable='true']") !== null);
const ownsArrows = (target) =>
  target instanceof Element &&
  target.closest("[role=slider],[role=spinbutton],[role=radiogroup],[role=tablist],[role=listbox],[role=menu],[role=grid]") !== null;

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
