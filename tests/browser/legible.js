// Every visible text of the page with its colour and what is behind it: [{words, ink, ground, disabled}].
() => {
  const parse = (colour) => {
    const found = colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return colour.startsWith("color(srgb") ? [found[0] * 255, found[1] * 255, found[2] * 255, found[3] ?? 1] : [found[0], found[1], found[2], found[3] ?? 1];
  };
  const over = (top, below) => top.slice(0, 3).map((value, at) => value * top[3] + below[at] * (1 - top[3]));
  const hex = (colour) => "#" + colour.slice(0, 3).map((value) => Math.round(value).toString(16).padStart(2, "0")).join("");
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const page = parse(getComputedStyle(document.querySelector(".stApp")).backgroundColor);
  const groundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = parentOf(at)) {
      const style = getComputedStyle(at);
      // A hatch is judged by its first stripe; the other one is lighter work, and checked by the palette's own test.
      const stripe = style.backgroundImage.match(/rgba?\([^)]*\)|color\([^)]*\)/);
      const colour = parse(stripe ? stripe[0] : style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), page.slice(0, 3));
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let at = element; at; at = parentOf(at)) opacity *= Number(getComputedStyle(at).opacity);
    return opacity;
  };
  const found = [];
  const roots = [document];
  while (roots.length) {
    const root = roots.pop();
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join("");
      if (!words || element instanceof SVGElement || !element.checkVisibility({ visibilityProperty: true })) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || element.closest("option, script, style, noscript, dialog")) continue;
      const ground = groundOf(element);
      const colour = parse(getComputedStyle(element).color);
      const ink = over([...colour.slice(0, 3), colour[3] * opacityOf(element)], ground);
      found.push({ words: words.slice(0, 40), ink: hex(ink), ground: hex(ground), disabled: element.closest(":disabled") !== null || element.closest(".none, .idle") !== null });
    }
  }
  return found;
}
