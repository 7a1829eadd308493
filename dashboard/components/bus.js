// The one line from the page to the server: commands in order, none lost, one batch on its way at a time.
//
// The server answers with the number of the last command it carried out; only then the next batch
// goes, and while one is under way repeated moves of one thing fold into the last. So a drag or a held key
// runs as fast as the page can be drawn, and never further ahead.

const RESEND_MS = 8000;
const MIRROR_MS = 350;
const FOLDS = new Set(["call", "policy", "search", "rows", "select", "filter"]);

const seen = new WeakMap();

function createBus() {
  bus.last = 0;
  bus.pending = [];
  bus.flight = null;
  bus.send = (command) => {
    const id = ++bus.last;
    const tail = bus.pending.at(-1);
    if (tail && tail.do === command.do && FOLDS.has(command.do)) bus.pending.pop();
    bus.pending.push({ ...command, id });
    flush();
    return id;
  };
  bus.step = (by) => bus.goto(bus.call + by);
  bus.goto = (to) => {
    const target = Math.max(1, Math.min(bus.calls, to));
    if (target === bus.call) return;
    bus.call = target;
    bus.callId = bus.send({ do: "call", to: target });
    markCall();
  };
  for (const command of bus.early.splice(0)) bus.send(command);
  bus.ready = true;
}

function flush() {
  if (bus.flight || !bus.push || bus.pending.length === 0) return;
  bus.flight = bus.pending;
  bus.pending = [];
  transmit();
}

function transmit() {
  clearTimeout(bus.timer);
  if (!bus.flight || !bus.push) return;
  bus.push({ items: bus.flight, try: (bus.tries = (bus.tries || 0) + 1) });
  bus.timer = setTimeout(transmit, RESEND_MS);
}

function acknowledge(ack) {
  if (!bus.flight || ack < bus.flight.at(-1).id) return;
  bus.flight = null;
  clearTimeout(bus.timer);
  flush();
}

// The markers move at once, from two custom properties; the exact place is the stylesheet's. They stand in a rule of
// their own: on the root they would have the style of every element worked out again.
const MARKED = new CSSStyleSheet();
MARKED.replaceSync(".fp-chart-marker, .fp-track { }");

function markCall() {
  if (!document.adoptedStyleSheets.includes(MARKED)) document.adoptedStyleSheets.push(MARKED);
  const { style } = MARKED.cssRules[0];
  style.setProperty("--fp-call", String(bus.call));
  style.setProperty("--fp-calls", String(Math.max(1, bus.calls)));
}

// The address bar follows once things are quiet: one entry for a drag or a held key, so that "back" is a step that was meant.
function mirror(query) {
  if (query === undefined || query === bus.mirrored) return;
  const first = bus.mirrored === undefined;
  bus.mirrored = query;
  clearTimeout(bus.mirrorTimer);
  const write = () => {
    // A drag or a held key is one move: it is written down when it has come to rest.
    if (bus.held || bus.flight || bus.pending.length) {
      bus.mirrorTimer = setTimeout(write, MIRROR_MS);
      return;
    }
    if (location.search === query) return;
    const address = location.pathname + query + location.hash;
    if (first || bus.replacing) history.replaceState(history.state, "", address);
    else history.pushState(null, "", address);
    bus.replacing = false;
  };
  if (first) write();
  else bus.mirrorTimer = setTimeout(write, MIRROR_MS);
}

function travelled() {
  clearTimeout(bus.mirrorTimer);
  bus.mirrored = location.search;
  bus.send({ do: "visit", query: location.search });
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const LETTERS = {
  n: () => bus.send({ do: "next", back: false }),
  N: () => bus.send({ do: "next", back: true }),
  h: () => bus.send({ do: "hide" }),
  s: () => bus.send({ do: "tab", to: "share" }),
  e: () => bus.send({ do: "entered" }),
  l: () => bus.send({ do: "left" }),
  j: () => window.dispatchEvent(new CustomEvent("footprint:row", { detail: 1 })),
  k: () => window.dispatchEvent(new CustomEvent("footprint:row", { detail: -1 })),
  "/": () => window.dispatchEvent(new CustomEvent("footprint:search")),
  "[": () => window.dispatchEvent(new CustomEvent("footprint:keep", { detail: -1 })),
  "]": () => window.dispatchEvent(new CustomEvent("footprint:keep", { detail: 1 })),
  0: () => bus.send({ do: "policy", choice: "recorded" }),
};

function pressed(event, help) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = deepTarget(event);
  if (isTyping(target) || document.querySelector("[role=dialog]")) return;
  if (help.open) {
    if (event.key === "?") help.close();
    return;
  }
  if (event.key === "?") {
    help.showModal();
    event.preventDefault();
    return;
  }
  if (!bus.onRun && event.key !== "h") return;
  const step = STEPS[event.key];
  if (step !== undefined) {
    if (ownsArrows(target)) return;
    if (Number.isFinite(step)) bus.step(event.shiftKey ? 10 * step : step);
    else bus.goto(step);
    event.preventDefault();
    return;
  }
  const act = LETTERS[event.key];
  if (act) {
    act();
    event.preventDefault();
  }
}

// Anything with data-do, wherever it stands, sends its command when it is clicked.
function clicked(event) {
  const target = deepTarget(event);
  const doer = target instanceof Element ? target.closest("[data-do]") : null;
  if (!doer) return;
  event.preventDefault();
  let command;
  try {
    command = JSON.parse(doer.dataset.do);
  } catch {
    return;
  }
  if (command.do === "help") window.dispatchEvent(new CustomEvent("footprint:help"));
  else if (command.do === "find") window.dispatchEvent(new CustomEvent("footprint:search"));
  else if (command.do === "call") bus.goto(command.to);
  else bus.send(command);
}

// Another run is another page: it starts at its top.
function startAtTop(query) {
  const run = new URLSearchParams(query).get("run");
  if (bus.run !== undefined && run !== bus.run) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  bus.run = run;
}

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  if (!bus.ready) createBus();
  startAtTop(data.query);
  bus.push = (batch) => setStateValue("sent", batch);
  bus.calls = data.calls;
  bus.onRun = data.calls > 0;
  if (!bus.callId || data.ack >= bus.callId) bus.call = data.call;
  markCall();
  mirror(data.query);
  const help = parentElement.querySelector("dialog");
  if (!seen.has(parentElement)) {
    const onKey = (event) => pressed(event, help);
    const onHelp = () => help.showModal();
    const onDown = () => (bus.held = true);
    const onUp = () => (bus.held = false);
    help.addEventListener("click", (event) => {
      if (event.target === help || event.target.closest("button")) help.close();
    });
    window.addEventListener("keydown", onKey);
    document.addEventListener("click", clicked);
    document.documentElement.dataset.fpReady = "";
    window.addEventListener("popstate", travelled);
    window.addEventListener("footprint:help", onHelp);
    window.addEventListener("pointerdown", onDown, true);
    window.addEventListener("pointerup", onUp, true);
    window.addEventListener("pointercancel", onUp, true);
    seen.set(parentElement, () => {
      window.removeEventListener("keydown", onKey);
      document.removeEventListener("click", clicked);
      delete document.documentElement.dataset.fpReady;
      window.removeEventListener("popstate", travelled);
      window.removeEventListener("footprint:help", onHelp);
      window.removeEventListener("pointerdown", onDown, true);
      window.removeEventListener("pointerup", onUp, true);
      window.removeEventListener("pointercancel", onUp, true);
      bus.push = null;
    });
  }
  acknowledge(data.ack);
  flush();
  return () => {
    seen.get(parentElement)?.();
    seen.delete(parentElement);
  };
}
