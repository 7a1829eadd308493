// The chart library, fetched once from this server when a chart is first drawn.

const PLOTLY_CONFIG = { displayModeBar: false, doubleClick: false, showTips: false, responsive: false };

const plotlyLibrary = () =>
  (globalThis.__footprintPlotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("footprint/plotly.min.js", document.baseURI).href;
    script.onload = () => resolve(globalThis.Plotly);
    script.onerror = () => reject(new Error("the chart library could not be loaded"));
    document.head.append(script);
  }));
