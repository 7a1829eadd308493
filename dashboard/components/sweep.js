// The sweep: one chart, one table. It fetches how far the sweep is while the page goes on, and a click sets the dial.

const sweeps = new WeakMap();
const SWEEP_ROW = 27;
const SWEEP_OVERSCAN = 10;
const SWEEP_FIRST_MS = 60;
const SWEEP_SLOWEST_MS = 600;

function buildSweep(root) {
  const find = (name) => root.querySelector(`.fp-sweep-${name}`);
  const plot = find("plot");
  const rows = find("rows");
  const now = { data: null, found: null, made: -1, timer: 0, wait: SWEEP_FIRST_MS, busy: false, drawn: "", plotly: null, ended: false };

  // ---- fetching

  const fetchMore = async () => {
    const { path, mode } = now.data;
    let answer;
    try {
      const response = await fetch(new URL(`${path}/state.json?have=${now.made}&mode=${mode}`, document.baseURI));
      if (!response.ok) throw new Error(await response.text());
      answer = await response.json();
    } catch (error) {
      if (!now.ended && path === now.data.path) setText(find("said"), `The sweep cannot be followed: ${error.message}`);
      return;
    }
    if (now.ended || path !== now.data.path || mode !== now.data.mode) return;
    const fresh = answer.made !== now.made;
    now.made = answer.made;
    if (answer.rows) {
      now.found = answer;
      paint();
    }
    paintProgress(answer);
    now.wait = fresh ? SWEEP_FIRST_MS : Math.min(SWEEP_SLOWEST_MS, now.wait * 1.6);
    if (now.made > 40) now.wait = Math.max(now.wait, 250);
    if (!answer.done) now.timer = setTimeout(fetchMore, now.wait);
  };

  // ---- the chart

  const figureNow = () => {
    const { figure } = now.found;
    const { dial, recorded } = now.data;
    if (dial === null || dial === recorded || dial === now.found.smallest) return figure;
    const ink = getComputedStyle(root).getPropertyValue("--fp-left-ink").trim() || "#9c3f00";
    const line = { type: "line", x0: dial, x1: dial, yref: "paper", y0: 0, y1: 1, line: { color: ink, width: 1.5 } };
    const log = figure.layout.xaxis.type === "log";
    const word = { x: log ? Math.log10(dial) : dial, yref: "paper", y: 1, yanchor: "bottom", xanchor: "left", text: `● ${dial} on the dial`, showarrow: false, font: { color: ink, size: 12 } };
    const layout = { ...figure.layout, shapes: [...figure.layout.shapes, line], annotations: [...figure.layout.annotations, word] };
    return { ...figure, layout };
  };

  // Words that would stand on each other stand above each other; what would leave the chart stands left of its line.
  const placed = (figure) => {
    const log = figure.layout.xaxis.type === "log";
    const span = log ? Math.log10(Math.max(2, now.found.total)) : Math.max(1, now.found.total);
    const share = (word) => (log ? word.x : word.x - 0.5) / span;
    const sorted = [...figure.layout.annotations].sort((a, b) => a.x - b.x);
    const wide = Math.max(1, plot.clientWidth - 64);
    let until = -Infinity;
    let level = 0;
    const annotations = sorted.map((word) => {
      const width = 7 * word.text.length;
      let from = share(word) * wide + 4;
      const flip = from + width > wide;
      if (flip) from = share(word) * wide - width - 4;
      level = from < until ? level + 1 : 0;
      until = Math.max(until, from + width + 10);
      return { ...word, xanchor: flip ? "right" : "left", xshift: flip ? -4 : 4, yshift: 15 * level };
    });
    const top = 24 + 15 * Math.max(0, ...annotations.map((word) => word.yshift / 15));
    return { ...figure, layout: { ...figure.layout, annotations, margin: { ...figure.layout.margin, t: Math.max(figure.layout.margin.t, top) } } };
  };

  const draw = async () => {
    if (now.busy || !now.found) return;
    const stamp = `${now.found.figure.stamp} ${now.data.dial}`;
    if (stamp === now.drawn) return;
    now.busy = true;
    try {
      const first = !now.plotly;
      now.plotly ??= await plotlyLibrary();
      const figure = placed(figureNow());
      await now.plotly.react(plot, figure.data, { ...figure.layout, width: plot.clientWidth }, PLOTLY_CONFIG);
      now.drawn = stamp;
      root.dataset.drawn = stamp;
      if (first) plot.on("plotly_click", (event) => apply(Math.round(event.points[0].x)));
    } catch (error) {
      plot.replaceChildren(el("p", "fp-chart-failed", `No chart: ${error.message}.`));
      now.drawn = stamp;
    }
    now.busy = false;
    draw();
  };
  const observer = new ResizeObserver(() => {
    if (!now.plotly || !now.found) return;
    now.drawn = "";
    draw();
    paintRows();
  });
  observer.observe(plot);

  // ---- the table

  const apply = (keep) => {
    if (keep >= 1 && now.data) bus.send({ ...now.data.command, keep });
  };

  const marksOf = (keep) => {
    const said = [];
    if (keep === now.found.smallest) said.push(["good", "✓ smallest that loses nothing"]);
    if (keep === now.data.recorded) said.push(["own", "◆ recorded"]);
    if (keep === now.data.dial && keep !== now.data.recorded) said.push(["dial", "● on the dial"]);
    return said;
  };

  const rowFor = (figures) => {
    const [keep] = figures;
    const row = el("div", "fp-sweep-row");
    row.setAttribute("role", "row");
    row.dataset.keep = keep;
    row.title = `Put keep ${keep} on the dial`;
    figures.forEach((figure, at) => {
      const cell = el("span", at === 0 ? "keep" : now.data.columns[at].loss ? (figure ? "bad" : "none") : "", grouped(figure));
      cell.setAttribute("role", at === 0 ? "rowheader" : "gridcell");
      row.append(cell);
    });
    const words = el("span", "marks");
    words.setAttribute("role", "gridcell");
    for (const [kind, said] of marksOf(keep)) {
      words.append(el("b", kind, said));
      row.classList.add(kind);
    }
    row.append(words);
    row.onclick = () => apply(keep);
    return row;
  };

  const paintRows = () => {
    if (!now.found) return;
    const all = now.found.rows;
    const from = Math.max(0, Math.floor(rows.scrollTop / SWEEP_ROW) - SWEEP_OVERSCAN);
    const to = Math.min(all.length, Math.ceil((rows.scrollTop + rows.clientHeight) / SWEEP_ROW) + SWEEP_OVERSCAN);
    const stamp = JSON.stringify([from, to, now.made, now.data.dial, now.data.recorded, now.found.smallest]);
    if (rows.dataset.stamp === stamp) return;
    rows.dataset.stamp = stamp;
    const focused = root.getRootNode().activeElement?.dataset?.keep;
    const space = el("div", "fp-sweep-space");
    space.style.height = `${all.length * SWEEP_ROW}px`;
    for (let at = from; at < to; at += 1) {
      const row = rowFor(all[at]);
      row.style.top = `${at * SWEEP_ROW}px`;
      row.tabIndex = -1;
      space.append(row);
    }
    const kept = rows.scrollTop;
    rows.replaceChildren(space);
    rows.scrollTop = kept;
    const home = space.querySelector(`[data-keep="${now.data.dial}"]`) ?? space.firstElementChild;
    if (home) home.tabIndex = 0;
    if (focused) space.querySelector(`[data-keep="${focused}"]`)?.focus({ preventScroll: true });
  };
  let frame = 0;
  rows.onscroll = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      paintRows();
    });
  };
  rows.onkeydown = (event) => {
    const keep = Number(event.target.dataset?.keep);
    if (!keep || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = now.found.rows;
    const at = all.findIndex((figures) => figures[0] === keep);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      const to = all[Math.max(0, Math.min(all.length - 1, at + by))][0];
      const top = (at + by) * SWEEP_ROW;
      if (top < rows.scrollTop) rows.scrollTop = top;
      else if (top + SWEEP_ROW > rows.scrollTop + rows.clientHeight) rows.scrollTop = top + SWEEP_ROW - rows.clientHeight;
      paintRows();
      rows.querySelector(`[data-keep="${to}"]`)?.focus({ preventScroll: true });
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      apply(keep);
    }
  };

  // ---- what comes in

  const paintProgress = (answer) => {
    const bar = find("progress");
    bar.classList.toggle("done", answer.done);
    bar.firstElementChild.style.width = `${(100 * answer.made) / Math.max(1, answer.total)}%`;
    setAttr(bar, "aria-valuemax", answer.total);
    setAttr(bar, "aria-valuenow", answer.made);
    root.dataset.done = answer.done;
  };

  const paint = () => {
    const { found, data } = now;
    const playing = found.done ? "" : ` (${grouped(found.made)} of ${grouped(found.total)} settings played)`;
    setText(find("said"), found.sentence + (found.smallest === null ? "" : playing));
    find("said").classList.toggle("good", found.smallest !== null);
    setText(find("base"), `${data.base}${data.estimated ? ", tokens of windows never sent are estimates" : ""}`);
    setAttr(find("area"), "aria-label", found.alt);
    root.classList.toggle("failed", Boolean(found.problem));
    rows.style.height = `${Math.min(found.total, 12) * SWEEP_ROW}px`;
    paintRows();
    draw();
  };

  const heads = find("heads");
  const paintHeads = (columns) => {
    if (heads.childElementCount) return;
    for (const column of columns) {
      const head = el("span", "", column.title);
      head.title = column.help;
      head.setAttribute("role", "columnheader");
      heads.append(head);
    }
    heads.append(el("span", "marks", ""));
  };

  return {
    hear: (data) => {
      const other = now.data?.path !== data.path || now.data?.mode !== data.mode;
      now.data = data;
      paintHeads(data.columns);
      if (other) {
        clearTimeout(now.timer);
        now.made = -1;
        now.wait = SWEEP_FIRST_MS;
        root.dataset.done = false;
        fetchMore();
      } else if (now.found) paint();
    },
    end: () => {
      now.ended = true;
      clearTimeout(now.timer);
      observer.disconnect();
      now.plotly?.purge(plot);
    },
  };
}

export default function (component) {
  const { data, parentElement } = component;
  let sweep = sweeps.get(parentElement);
  if (!sweep) {
    sweep = buildSweep(parentElement.querySelector(".fp-sweep"));
    sweeps.set(parentElement, sweep);
  }
  sweep.hear(data);
  return () => {
    sweeps.get(parentElement)?.end();
    sweeps.delete(parentElement);
  };
}
