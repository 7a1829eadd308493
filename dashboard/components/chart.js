// The timeline, drawn by plotly in place: a new policy moves the bars that are there, and a click stands at a call.
//
// The page's own chart element starts anew with every figure, which costs more than all the rest of a drag.

const charts = new WeakMap();

// ▲ a repeat, △ one whose earlier answer had left, just above what the call carried.
function drawMarks(layer, figure) {
  const [left, right] = figure.layout.xaxis.range;
  const [low, high] = figure.layout.yaxis.range;
  const marks = figure.marks.map(([x, y, lost]) => {
    const mark = el("span", "", lost ? "△" : "▲");
    mark.style.left = `${(((x - left) / (right - left)) * 100).toFixed(3)}%`;
    mark.style.top = `${(((high - y) / (high - low)) * 100).toFixed(2)}%`;
    return mark;
  });
  layer.replaceChildren(...marks);
}

function build(root) {
  const plot = root.querySelector(".fp-chart-plot");
  const chart = { figure: null, drawn: null, busy: false, plotly: null, ended: false, width: plot.clientWidth };
  const draw = async () => {
    if (chart.busy || chart.figure === chart.drawn) return;
    chart.busy = true;
    const figure = chart.figure;
    try {
      chart.plotly ??= await plotlyLibrary();
      if (chart.ended) return;
      const first = chart.drawn === null;
      await chart.plotly.react(plot, figure.data, { ...figure.layout, width: chart.width }, PLOTLY_CONFIG);
      drawMarks(root.querySelector(".fp-chart-marks"), figure);
      chart.drawn = figure;
      if (first) plot.on("plotly_click", (event) => bus.goto(Math.round(event.points[0].x)));
      root.dataset.drawn = figure.stamp;
    } catch (error) {
      plot.replaceChildren(el("p", "fp-chart-failed", `No chart: ${error.message}.`));
      chart.drawn = figure;
    }
    chart.busy = false;
    if (chart.figure !== chart.drawn) draw();
  };
  // The width is taken from here alone: asking for it while a page is being built has all of it laid out at once.
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (!width || width === chart.width) return;
    chart.width = width;
    if (chart.plotly && chart.drawn && !chart.busy && !chart.ended && plot.isConnected) chart.plotly.relayout(plot, { width });
  });
  observer.observe(plot);
  return {
    hear: (data) => {
      setAttr(root.querySelector(".fp-chart-area"), "aria-label", data.alt);
      setText(root.querySelector(".fp-chart-title"), data.title);
      setText(root.querySelector(".fp-chart-unit"), data.unit);
      const tag = root.querySelector(".fp-tag");
      setText(tag, data.origin);
      tag.className = `fp-tag small ${data.origin.toLowerCase().replace(" ", "")}`;
      tag.title = data.help;
      root.classList.toggle("whatif", data.hypothetical);
      for (const part of root.querySelectorAll("[data-part]")) part.hidden = !data.figure.drawn.includes(part.dataset.part);
      if (chart.figure?.stamp === data.figure.stamp) return;
      chart.figure = data.figure;
      draw();
    },
    end: () => {
      chart.ended = true;
      observer.disconnect();
      chart.plotly?.purge(plot);
    },
  };
}

export default function (component) {
  const { data, parentElement } = component;
  let chart = charts.get(parentElement);
  if (!chart) {
    chart = build(parentElement.querySelector(".fp-chart"));
    charts.set(parentElement, chart);
  }
  chart.hear(data);
  return () => {
    charts.get(parentElement)?.end();
    charts.delete(parentElement);
  };
}
