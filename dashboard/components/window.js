// The messages of one call as rows: text nodes only, contents sent once, up to 200 rows plain, more of them virtual.

const ROW = 58;
const OVERSCAN = 12;
const STORES = (globalThis.__footprintTexts ??= new Map());
const FOLD_CHARS = 420;
const FOLD_LINES = 6;

const lists = new WeakMap();

// Contents by id, for one session and one run; they outlive a change of the page, not a reload.
function storeOf(nonce) {
  let store = STORES.get(nonce);
  if (!store) {
    STORES.clear();
    store = new Map();
    STORES.set(nonce, store);
  }
  return store;
}

// Fills an element with text, every occurrence of the search marked.
function fillWith(query) {
  const wanted = query.toLowerCase();
  return (element, text) => {
    element.textContent = "";
    if (!wanted) {
      element.textContent = text;
      return;
    }
    const lower = text.toLowerCase();
    if (lower.length !== text.length) {
      element.textContent = text;
      return;
    }
    let from = 0;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
      element.append(text.slice(from, at), el("mark", "", text.slice(at, at + wanted.length)));
      from = at + wanted.length;
    }
    element.append(text.slice(from));
  };
}

// A notice that has left is the notice that stood: one name for both.
const keyOf = (row) => row.k.replace(/-old$/, "");

function build(section) {
  const list = section.querySelector(".list");
  const caption = section.querySelector(".caption");
  const form = section.querySelector(".tools");
  const search = form.querySelector("input[type=search]");
  const scope = form.querySelector(".scope input");
  const selects = [...form.querySelectorAll("select")];
  const filters = form.querySelector(".filters");
  const spacer = el("div", "spacer");
  const state = { data: null, rows: new Map(), drawn: new Map(), open: new Map(), raw: new Set(), selected: null, selectId: 0, searchId: 0, asked: null };
  let fill = fillWith("");

  // ---- one row

  function bodyOf(row, text, content) {
    const body = el("div", "body");
    // What a notice said was of what had left before: one line of it is enough, the rest on demand.
    const long = row.s === "oldnotice" || text.length > FOLD_CHARS || text.split("\n", FOLD_LINES + 1).length > FOLD_LINES || content.n > text.length;
    const json = looksLikeJson(text) && text.length === content.n;
    // What is searched must be seen: a text that holds it stands open.
    const sought = state.data.query.toLowerCase();
    const open = state.open.get(row.k) ?? (sought !== "" && long && text.toLowerCase().includes(sought));
    const tree = json && open && !state.raw.has(row.k) ? jsonTree(text) : null;
    if (tree) body.append(drawJson(tree, fill));
    else fill(body, text);
    if (!long && !json) return [body];
    if (long && !open) body.classList.add("folded");
    const bar = el("div", "foldbar");
    const toggle = el("button", "fold", open ? "fold" : json ? "unfold as JSON" : `unfold all ${grouped(content.n)} characters`);
    toggle.type = "button";
    toggle.setAttribute("aria-expanded", open);
    toggle.onclick = (event) => {
      event.stopPropagation();
      state.open.set(row.k, !open);
      if (!open && content.n > text.length) bus.send({ do: "need", whole: row.c });
      redraw(row.k);
    };
    bar.append(toggle);
    if (json && open) {
      const raw = el("button", "fold", state.raw.has(row.k) ? "pretty" : "as sent");
      raw.type = "button";
      raw.onclick = (event) => {
        event.stopPropagation();
        if (!state.raw.delete(row.k)) state.raw.add(row.k);
        redraw(row.k);
      };
      bar.append(raw);
    }
    return [body, bar];
  }

  function commandButton(className, words, command) {
    const button = el("button", className, words);
    button.type = "button";
    button.onclick = (event) => {
      event.stopPropagation();
      if (command.do === "call") bus.goto(command.to);
      else bus.send(command);
    };
    return button;
  }

  const classesOf = (row) => ["row", row.s, row.b ? `bracket ${row.b}` : "", row.rep ? "repeat" : ""].filter(Boolean).join(" ");

  function drawRow(row) {
    const made = el("div", classesOf(row));
    made.setAttribute("role", "listitem");
    made.dataset.k = row.k;
    if (row.s === "fold") {
      made.append(commandButton("gone", `${row.t} · ${row.open ? "fold" : "show"}`, { do: "gone", on: !row.open }));
      return made;
    }
    if (row.s === "section") {
      made.append(el("div", "sectionline", row.t));
      return made;
    }
    made.append(drawTop(row), ...drawBody(row));
    made.onclick = (event) => {
      const selection = section.getRootNode().getSelection?.() ?? document.getSelection();
      if (event.detail > 1 || (selection && !selection.isCollapsed)) return;
      if (event.target.closest("button,summary,a")) return;
      choose(keyOf(row));
    };
    return made;
  }

  function drawBody(row) {
    if (row.mask) return [el("div", "body masked", row.mask)];
    if (!row.c) return [];
    const content = storeOf(state.data.nonce).get(row.c);
    if (!content) return [el("div", "body waiting", "…")];
    return content.t ? bodyOf(row, content.t, content) : [];
  }

  function drawTop(row) {
    const top = el("div", "top");
    top.append(el("span", "role", row.r));
    if (row.h) {
      const head = el("span", "tool");
      fill(head, row.h);
      head.title = row.h;
      top.append(head);
    }
    if (row.rep) top.append(el("span", "chip rep", row.rep));
    if (row.w) {
      const chip = el("span", "chip", row.w);
      if (row.d) chip.title = row.d;
      top.append(chip);
    }
    if (row.v) {
      const chip = el("span", "chip verdict", row.v);
      chip.title = "The verdict above speaks of this message.";
      top.append(chip);
    }
    if (row.m) top.append(el("span", "chip diff", row.m));
    top.append(el("span", "age", [row.a, row.z].filter(Boolean).join(" · ")));
    return top;
  }

  function place(element, row) {
    const isSelected = keyOf(row) === state.selected;
    element.classList.toggle("selected", isSelected);
    setAttr(element, "aria-current", isSelected ? "true" : null);
  }

  // An unchanged row keeps its element, and a row of which only the words changed keeps its content: focus, selected
  // text and open folds stay where they are.
  function elementFor(row) {
    const content = row.c ? storeOf(state.data.nonce).get(row.c) : null;
    const opened = `${state.open.get(row.k) ?? ""}${state.raw.has(row.k)}`;
    const body = `${row.c}|${row.mask}|${content ? content.t.length : "-"}|${state.data.query}|${opened}`;
    const whole = JSON.stringify(row) + state.data.query;
    let drawn = state.drawn.get(row.k);
    const plain = row.s === "fold" || row.s === "section";
    if (!drawn || drawn.body !== body || (plain && drawn.whole !== whole)) {
      const element = drawRow(row);
      if (drawn?.element.isConnected) drawn.element.replaceWith(element);
      drawn = { element, body, whole };
      state.drawn.set(row.k, drawn);
    } else if (drawn.whole !== whole) {
      drawn.element.className = classesOf(row);
      drawn.element.firstElementChild.replaceWith(drawTop(row));
      drawn.whole = whole;
    }
    place(drawn.element, row);
    return drawn.element;
  }

  function redraw(key) {
    const drawn = state.drawn.get(key);
    if (drawn) drawn.body = "";
    draw();
  }

  // ---- all rows

  function drawPlain() {
    spacer.remove();
    const wanted = state.data.rows.map(elementFor);
    const keep = new Set(wanted);
    for (const child of [...list.children]) if (!keep.has(child)) child.remove();
    let at = list.firstElementChild;
    for (const element of wanted) {
      if (element === at) at = at.nextElementSibling;
      else list.insertBefore(element, at);
    }
    for (const key of [...state.drawn.keys()]) if (!keep.has(state.drawn.get(key).element)) state.drawn.delete(key);
  }

  function drawVirtual() {
    if (spacer.parentElement !== list) list.replaceChildren(spacer);
    spacer.style.height = `${state.data.total * ROW}px`;
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - OVERSCAN);
    const to = Math.min(state.data.total, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + OVERSCAN);
    const keep = new Set();
    let missing = null;
    for (let index = from; index < to; index += 1) {
      const row = state.rows.get(index);
      if (!row) {
        missing ??= index;
        continue;
      }
      const element = elementFor(row);
      element.style.top = `${index * ROW}px`;
      keep.add(element);
      if (element.parentElement !== spacer) spacer.append(element);
    }
    for (const child of [...spacer.children]) if (!keep.has(child)) child.remove();
    for (const [key, drawn] of state.drawn) if (!keep.has(drawn.element)) state.drawn.delete(key);
    if (missing !== null) {
      const first = Math.max(0, missing - (list.scrollTop < (state.scrolled ?? 0) ? 180 : 40));
      if (state.asked !== first) {
        state.asked = first;
        bus.send({ do: "rows", first });
      }
    }
    state.scrolled = list.scrollTop;
  }

  const draw = () => (state.data.virtual ? drawVirtual() : drawPlain());

  const reveal = (key) => {
    if (state.data.virtual) {
      const at = state.data.keys?.[key] ?? [...state.rows].find(([, row]) => row.k === key)?.[0];
      if (at === undefined) return;
      const top = at * ROW;
      if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = Math.max(0, top - list.clientHeight / 3);
      return;
    }
    state.drawn.get(key)?.element.scrollIntoView({ block: "nearest" });
  };

  function choose(key) {
    state.selected = state.selected === key ? null : key;
    state.selectId = bus.send({ do: "select", row: state.selected });
    draw();
    if (state.selected) reveal(state.selected);
  }

  function move(by) {
    const rows = state.data.virtual ? [...state.rows.entries()].sort((a, b) => a[0] - b[0]).map(([, row]) => row) : state.data.rows;
    const open = rows.filter((row) => row.s !== "fold" && row.s !== "section");
    if (!open.length) return;
    const at = open.findIndex((row) => keyOf(row) === state.selected);
    const next = at < 0 ? (by > 0 ? 0 : open.length - 1) : Math.max(0, Math.min(open.length - 1, at + by));
    if (keyOf(open[next]) !== state.selected) choose(keyOf(open[next]));
  }

  // ---- search and filters

  let typing = 0;
  const sendSearch = () => {
    state.searchId = bus.send({ do: "search", q: search.value, everywhere: scope.checked });
  };
  search.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(sendSearch, 120);
  };
  search.onkeydown = (event) => {
    if (event.key === "Escape") {
      search.value = "";
      sendSearch();
      search.blur();
    }
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    move(1);
  };
  scope.onchange = sendSearch;
  for (const select of selects) select.onchange = () => bus.send({ do: "filter", [select.dataset.filter]: select.value ? [select.value] : [] });

  function paintTools(data) {
    if (search !== section.getRootNode().activeElement && data.ack >= state.searchId) search.value = data.query;
    if (data.ack >= state.searchId) scope.checked = data.everywhere;
    const on = selects.filter((select) => data.filters[select.dataset.filter].chosen).length;
    setText(filters.querySelector("summary"), on ? `filter · ${on}` : "filter");
    filters.classList.toggle("on", on > 0);
    for (const select of selects) {
      const { any, options, chosen } = data.filters[select.dataset.filter];
      const stamp = JSON.stringify([any, options]);
      if (select.dataset.stamp !== stamp) {
        select.replaceChildren(new Option(any, ""), ...options.map((value) => new Option(value, value)));
        select.dataset.stamp = stamp;
      }
      select.value = chosen;
      select.classList.toggle("on", chosen !== "");
      select.hidden = options.length === 0;
    }
    const parts = data.caption.map((part) => {
      if (part.reveal) {
        const button = el("button", `jump ${part.kind ?? ""}`, part.text);
        button.type = "button";
        button.onclick = () => {
          reveal(part.reveal);
          state.drawn.get(part.reveal)?.element.animate([{ opacity: 0.3 }, { opacity: 1 }], 500);
        };
        return button;
      }
      if (part.do) return commandButton("jump", part.text, part.do);
      return el("span", part.kind ?? "", part.text);
    });
    caption.replaceChildren(...parts);
  }

  // ---- what comes in

  function hear(data) {
    const store = storeOf(data.nonce);
    for (const [id, content] of Object.entries(data.add)) store.set(id, content);
    fill = fillWith(data.hidden ? "" : data.query);
    if (state.data?.view !== data.view) {
      state.rows.clear();
      state.asked = null;
    }
    data.rows.forEach((row, at) => state.rows.set(data.first + at, row));
    const missing = data.rows.filter((row) => row.c && !store.has(row.c)).map((row) => row.c);
    if (data.ack >= state.selectId) state.selected = data.selected;
    const moved = state.data && data.selected && data.selected !== state.data.selected;
    const firstTime = !state.data;
    state.data = data;
    section.classList.toggle("virtual", data.virtual);
    paintTools(data);
    draw();
    if (data.virtual && firstTime && data.first > 0) list.scrollTop = data.first * ROW;
    if (data.selected && (moved || firstTime) && !state.drawn.get(data.selected)?.element.matches(":hover")) reveal(data.selected);
    section.dataset.call = data.call;
    section.dataset.policy = data.policy;
    section.dataset.ack = data.ack;
    if (missing.length) bus.send({ do: "need", ids: missing });
  }

  const onRow = (event) => move(event.detail);
  const onSearch = () => {
    search.focus();
    search.select();
  };
  list.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(by);
  };
  let frame = 0;
  list.onscroll = () => {
    if (!state.data?.virtual || frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      drawVirtual();
    });
  };
  window.addEventListener("footprint:row", onRow);
  window.addEventListener("footprint:search", onSearch);
  return {
    hear,
    end: () => {
      window.removeEventListener("footprint:row", onRow);
      window.removeEventListener("footprint:search", onSearch);
    },
  };
}

export default function (component) {
  const { data, parentElement } = component;
  let list = lists.get(parentElement);
  if (!list) {
    list = build(parentElement.querySelector(".window"));
    lists.set(parentElement, list);
  }
  list.hear(data);
  return () => {
    lists.get(parentElement)?.end();
    lists.delete(parentElement);
  };
}
