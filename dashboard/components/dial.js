// The policy dial: every value goes out while the hand still moves, and what comes back never pulls it from the hand.

const made = new WeakMap();
const CHOICES = [
  ["recorded", "recorded"],
  ["none", "none"],
  ["sliding", "sliding"],
  ["tokens", "tokens"],
];
const RULES = ["9.57", "9.55", "9.54"];

// The rail's stops stand at even distances: every small value, and fewer and fewer of the large ones.
const toValue = (share, stops) => stops[Math.round(share * (stops.length - 1))];
const toShare = (value, stops) => {
  const above = stops.findIndex((stop) => stop >= value);
  if (above < 0) return 1;
  if (above === 0 || stops.length < 2) return 0;
  const [low, high] = [stops[above - 1], stops[above]];
  return (above - 1 + (value - low) / (high - low)) / (stops.length - 1);
};

function radios(label, options, onPick) {
  const group = el("div", "seg");
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", label);
  const buttons = options.map(([value, words]) => {
    const button = el("button", "", words);
    button.type = "button";
    button.dataset.value = value;
    button.setAttribute("role", "radio");
    button.onclick = () => {
      if (!button.disabled) onPick(value);
    };
    group.append(button);
    return button;
  });
  group.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const open = buttons.filter((button) => !button.disabled);
    const at = open.indexOf(group.getRootNode().activeElement);
    const next = open[(at + by + open.length) % open.length];
    next.focus();
    onPick(next.dataset.value);
  };
  const paint = (value) => {
    for (const button of buttons) {
      const on = button.dataset.value === value;
      setAttr(button, "aria-checked", on);
      setAttr(button, "tabindex", on ? 0 : -1);
    }
    if (!buttons.some((button) => button.dataset.value === value)) setAttr(buttons[0], "tabindex", 0);
  };
  return { group, buttons, paint };
}

function stepper(label, onStep) {
  const box = el("div", "stepper");
  const less = el("button", "", "−");
  const value = el("output", "", "");
  const more = el("button", "", "+");
  less.type = more.type = "button";
  less.setAttribute("aria-label", `${label}: one less`);
  more.setAttribute("aria-label", `${label}: one more`);
  less.onclick = () => onStep(-1);
  more.onclick = () => onStep(1);
  box.append(less, value, more);
  return { box, less, more, value };
}

function build(root) {
  const now = { data: null, choice: "recorded", keep: 6, pins: 2, threshold: null, rules: "9.57", sent: 0, dragging: false };
  const send = () => {
    if (now.choice === "recorded") now.sent = bus.send({ do: "policy", choice: "recorded" });
    else {
      const { choice, keep, pins, threshold, rules } = now;
      now.sent = bus.send({ do: "policy", choice, keep, pins, threshold, rules });
    }
    paint();
  };
  // Touching a figure leaves "recorded" for the same kind of policy.
  const leaveRecorded = () => {
    if (now.choice !== "recorded" && now.choice !== "none") return;
    now.choice = now.choice === "none" ? "sliding" : now.data.basis;
  };
  const pick = (choice) => {
    const was = now.data.recorded;
    if (choice === "recorded" && was) Object.assign(now, { keep: was.keep, pins: was.pins, threshold: was.threshold ?? now.threshold, rules: was.rules });
    if (choice === "tokens" && now.threshold === null) now.threshold = now.data.tokens.suggested;
    now.choice = choice;
    send();
  };
  const setKeep = (value) => {
    const keep = Math.max(1, Math.min(now.data.stops.at(-1), value));
    if (keep === now.keep && now.choice !== "none") return paint();
    leaveRecorded();
    now.keep = keep;
    return send();
  };
  const setPins = (by) => {
    const pins = Math.max(0, Math.min(99, now.pins + by));
    if (pins === now.pins) return;
    leaveRecorded();
    now.pins = pins;
    send();
  };

  const head = el("h2", "", "Window policy");
  const badge = el("span", "badge", "WHAT IF");
  head.append(badge);
  const strategy = radios("Policy", CHOICES, pick);

  const keepLabel = el("label", "", "keepRecentTurns");
  keepLabel.title = "How many of the newest turns always stay. A turn is the group that leaves together: one message and the tool results that answer it, not a person’s turn.";
  const keepWas = el("span", "was", "");
  keepLabel.append(keepWas);
  const keepRow = el("div", "keep");
  const less = el("button", "nudge", "−");
  const more = el("button", "nudge", "+");
  less.type = more.type = "button";
  less.setAttribute("aria-label", "keep one turn fewer");
  more.setAttribute("aria-label", "keep one turn more");
  less.onclick = () => setKeep(now.keep - 1);
  more.onclick = () => setKeep(now.keep + 1);
  const slider = el("div", "slider");
  slider.tabIndex = 0;
  slider.setAttribute("role", "slider");
  slider.setAttribute("aria-label", "keepRecentTurns");
  slider.setAttribute("aria-valuemin", "1");
  const rail = el("div", "rail");
  const fill = el("div", "fill");
  const tick = el("div", "tick");
  const knob = el("div", "knob", "");
  rail.append(fill, tick, knob);
  slider.append(rail);
  keepRow.append(less, slider, more);
  const valueAt = (event) => {
    const box = rail.getBoundingClientRect();
    return toValue(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)), now.data.stops);
  };
  slider.onpointerdown = (event) => {
    if (event.button !== 0) return;
    slider.setPointerCapture(event.pointerId);
    now.dragging = true;
    slider.focus();
    setKeep(valueAt(event));
    event.preventDefault();
  };
  slider.onpointermove = (event) => {
    if (now.dragging) setKeep(valueAt(event));
  };
  slider.onpointerup = slider.onpointercancel = () => {
    now.dragging = false;
    paint();
  };
  slider.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    setKeep(now.keep + (event.shiftKey ? 10 * by : by));
  };

  const pinsLabel = el("label", "", "keepLastToolResults");
  pinsLabel.title = "How many tools may hold the turn of their newest result in the window (a pin). 0 turns the rule off.";
  const pins = stepper("keepLastToolResults", setPins);
  const tokensLabel = el("label", "", "thresholdTokens");
  tokensLabel.title = "Something may leave only when the call before was measured above this many input tokens.";
  const tokens = el("input", "tokens");
  tokens.type = "number";
  tokens.min = "1";
  tokens.step = "100";
  tokens.setAttribute("aria-label", "thresholdTokens");
  tokens.oninput = () => {
    const value = Number.parseInt(tokens.value, 10);
    if (!(value > 0)) return;
    now.threshold = value;
    now.choice = "tokens";
    send();
  };
  const rulesLabel = el("label", "", "rules");
  rulesLabel.title = "The framework’s rule set: 9.55 knows no pins and gives up a drop whose notice is not smaller; 9.54 does not protect the current request either.";
  const rules = el("select", "rules");
  rules.setAttribute("aria-label", "rules");
  for (const name of RULES) rules.append(new Option(name, name));
  rules.onchange = () => {
    leaveRecorded();
    now.rules = rules.value;
    send();
  };
  const figures = el("div", "figures");
  const cell = (label, control) => {
    const made = el("div", "cell");
    made.append(label, control);
    figures.append(made);
    return made;
  };
  const pinsCell = cell(pinsLabel, pins.box);
  const tokensCell = cell(tokensLabel, tokens);
  const rulesCell = cell(rulesLabel, rules);
  const effect = el("div", "effect");
  effect.setAttribute("aria-live", "polite");
  root.append(head, strategy.group, keepLabel, keepRow, figures, effect);

  function paint() {
    const { data } = now;
    const whatIf = now.choice !== "recorded";
    root.classList.toggle("whatif", whatIf);
    strategy.paint(now.choice);
    for (const button of strategy.buttons) {
      const blocked = button.dataset.value === "tokens" && !data.tokens.possible;
      button.disabled = blocked;
      button.title = blocked ? data.tokens.why : "";
    }
    setText(strategy.buttons[0], data.label);
    const engaged = now.choice === "recorded" ? data.own : now.choice;
    const none = engaged === "none" || engaged === null;
    // Without a policy everything stays; of an unknown one no depth is told.
    const share = engaged === "none" ? 1 : toShare(now.keep, data.stops);
    const at = `${(share * 100).toFixed(2)}%`;
    knob.style.left = at;
    fill.style.width = at;
    setText(knob, none ? "all" : String(now.keep));
    knob.hidden = fill.hidden = engaged === null;
    slider.classList.toggle("idle", none);
    setAttr(slider, "aria-valuemax", data.stops.at(-1));
    setAttr(slider, "aria-valuenow", now.keep);
    setAttr(slider, "aria-valuetext", engaged === null ? "not known" : none ? "no policy, nothing leaves" : `keep ${now.keep} turns`);
    const was = data.recorded;
    setText(keepWas, was && was.keep !== null ? ` (recorded ${was.keep})` : engaged === null ? " (not known: drag to try one)" : "");
    tick.hidden = !(was && was.keep !== null && whatIf);
    if (!tick.hidden) tick.style.left = `${(toShare(was.keep, data.stops) * 100).toFixed(2)}%`;
    less.disabled = now.keep <= 1;
    more.disabled = now.keep >= data.stops.at(-1);
    const pinless = now.rules !== "9.57" || none;
    setText(pins.value, pinless ? "–" : String(now.pins));
    pins.less.disabled = pinless || now.pins <= 0;
    pins.more.disabled = pinless;
    pinsCell.title = now.rules === "9.57" ? "" : "These rules know no pins.";
    tokensCell.hidden = engaged !== "tokens";
    if (tokens !== root.getRootNode().activeElement) tokens.value = now.threshold ?? "";
    if (rules !== root.getRootNode().activeElement) rules.value = now.rules;
    rulesCell.classList.toggle("changed", Boolean(was) && was.rules !== now.rules);
  }

  const hear = (data) => {
    now.data = data;
    // What the hand does now is newer than what the server has answered so far.
    if (!now.dragging && data.ack >= now.sent) Object.assign(now, { choice: data.choice, keep: data.keep, pins: data.pins, threshold: data.threshold, rules: data.rules });
    const lines = data.effect.map((line) => el("p", line.kind, line.text));
    effect.replaceChildren(...lines);
    paint();
  };
  const onKeep = (event) => setKeep(now.keep + event.detail);
  window.addEventListener("footprint:keep", onKeep);
  return { hear, end: () => window.removeEventListener("footprint:keep", onKeep) };
}

export default function (component) {
  const { data, parentElement } = component;
  let dial = made.get(parentElement);
  if (!dial) {
    const root = parentElement.querySelector(".dial");
    root.replaceChildren();
    dial = build(root);
    made.set(parentElement, dial);
  }
  dial.hear(data);
  return () => {
    made.get(parentElement)?.end();
    made.delete(parentElement);
  };
}
