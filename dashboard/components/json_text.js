// JSON as text one can fold. Only white space is added: numbers, escapes and key order stay as they were sent.

const TOKEN = /"(?:[^"\\]|\\[\s\S])*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const MAX_TOKENS = 20000;

const looksLikeJson = (text) =>
  /^\s*(?:\{\s*["}]|\[\s*(?:["[{\]\d-]|true\b|false\b|null\b))/.test(text) && /[}\]]\s*$/.test(text);

// The text as nested lists of tokens, or null where it is not JSON after all (or too much of it to draw).
function jsonTree(text) {
  const root = { items: [] };
  const open = [root];
  let count = 0;
  let last = 0;
  let line = [];
  const endLine = () => {
    if (line.length) open.at(-1).items.push({ line });
    line = [];
  };
  for (const match of text.matchAll(TOKEN)) {
    if (++count > MAX_TOKENS || text.slice(last, match.index).trim()) return null;
    const token = match[0];
    last = match.index + token.length;
    if (token === "{" || token === "[") {
      const node = { head: line, open: token, items: [], close: "", comma: "" };
      line = [];
      open.at(-1).items.push(node);
      open.push(node);
    } else if (token === "}" || token === "]") {
      endLine();
      const node = open.pop();
      if (!node || node.open !== (token === "}" ? "{" : "[")) return null;
      node.close = token;
    } else if (token === ",") {
      const items = open.at(-1).items;
      if (line.length) {
        line.push(",");
        endLine();
      } else if (items.length && items.at(-1).open) items.at(-1).comma = ",";
      else return null;
    } else line.push(token === ":" ? ": " : token);
  }
  endLine();
  return open.length === 1 && !text.slice(last).trim() ? root : null;
}

function drawJson(node, fill) {
  const made = el("div", "json");
  for (const item of node.items) {
    if (item.line) {
      const line = el("div", "line");
      fill(line, item.line.join(""));
      made.append(line);
      continue;
    }
    const head = item.head.join("") + item.open;
    if (item.items.length === 0) {
      const line = el("div", "line");
      fill(line, head + item.close + item.comma);
      made.append(line);
      continue;
    }
    const fold = el("details", "node");
    fold.open = true;
    const summary = el("summary");
    fill(summary, head);
    summary.append(el("span", "count", ` ${item.items.length} … ${item.close}`));
    const end = el("div", "line");
    fill(end, item.close + item.comma);
    fold.append(summary, drawJson(item, fill), end);
    made.append(fold);
  }
  return made;
}
