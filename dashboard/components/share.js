// What is handed on: hidden until the level says otherwise, shown before it is saved, made only when it is asked for.

const shares = new WeakMap();
const HIDDEN_LEVELS = new Set(["everything", "results"]);

function buildShare(root) {
  const find = (selector) => root.querySelector(selector);
  const now = { data: null, level: "everything", prints: false, shown: "", picture: "", turn: 0 };
  const done = find(".done");

  const addressOf = (name) => {
    const query = new URLSearchParams({ hide: now.level });
    if (now.prints && HIDDEN_LEVELS.has(now.level)) query.set("fingerprints", "1");
    return new URL(`${now.data.path}/${name}?${query}`, document.baseURI).href;
  };

  // The bytes of an artefact and the name it is saved under; its error is the server's sentence.
  const fetched = async (name) => {
    const response = await fetch(addressOf(name));
    if (!response.ok) throw new Error(await response.text());
    const file = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
    return { blob: await response.blob(), file: file ? file[1] : name };
  };

  const say = (words, failed = false) => {
    setText(done, words);
    done.classList.toggle("failed", failed);
  };

  const busyWith = async (button, words, work) => {
    button.disabled = true;
    say(`${words} …`);
    try {
      say(await work());
    } catch (error) {
      say(`Not done: ${error.message}`, true);
    }
    button.disabled = false;
  };

  const sized = (bytes) => (bytes < 10_000 ? `${grouped(bytes)} bytes` : bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`);

  const save = async (name) => {
    const { blob, file } = await fetched(name);
    const url = URL.createObjectURL(blob);
    const link = el("a");
    link.href = url;
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return `✓ ${file} saved, ${sized(blob.size)}`;
  };

  // The clipboard is written within the click; what goes into it may come later.
  const copyMade = async (name, kind) => {
    let size = 0;
    const made = fetched(name).then(({ blob }) => {
      size = blob.size;
      return new Blob([blob], { type: kind });
    });
    await navigator.clipboard.write([new ClipboardItem({ [kind]: made })]);
    return `✓ copied, ${sized(size)}`;
  };

  for (const button of root.querySelectorAll(".copy")) {
    button.onclick = async () => {
      const text = find(`.${button.dataset.copies}`).textContent;
      let said = "copied";
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        said = "select it";
        getSelection()?.selectAllChildren(find(`.${button.dataset.copies}`));
      }
      setText(button, said);
      setTimeout(() => setText(button, "copy"), 1600);
    };
  }
  for (const button of root.querySelectorAll(".clip")) {
    button.onclick = () => busyWith(button, "copying", () => copyMade(button.dataset.name, button.dataset.kind));
  }

  // ---- the level, and what it shows

  const levels = find(".levels");
  const drawLevels = () => {
    if (levels.childElementCount) return;
    for (const one of now.data.levels) {
      const label = el("label");
      const input = el("input");
      input.type = "radio";
      input.name = "share-level";
      input.value = one.level;
      input.checked = one.level === now.level;
      input.onchange = () => {
        now.level = one.level;
        show();
      };
      const said = el("span");
      said.append(el("b", "", one.title), " ", el("span", "mute", one.help));
      label.append(input, said);
      levels.append(label);
    }
    setText(find(".warning"), now.data.fingerprints);
    const prints = find(".prints input");
    prints.onchange = () => {
      now.prints = prints.checked;
      show();
    };
  };

  const drawSaves = () => {
    const saves = find(".files");
    const stamp = now.data.artefacts.map((one) => one.name).join();
    if (saves.dataset.stamp === stamp) return;
    saves.dataset.stamp = stamp;
    saves.replaceChildren(
      ...now.data.artefacts.map((one) => {
        const button = el("button", "save", one.title);
        button.type = "button";
        button.title = one.help;
        button.dataset.name = one.name;
        button.onclick = () => busyWith(button, `making ${one.title}`, () => save(one.name));
        return button;
      }),
    );
  };

  const items = (list, lines) => list.replaceChildren(...lines.map((line) => el("li", "", line)));

  const show = async () => {
    const wanted = addressOf("card.svg");
    find(".prints").classList.toggle("off", !HIDDEN_LEVELS.has(now.level));
    if (wanted === now.shown) return;
    now.shown = wanted;
    root.classList.add("busy");
    try {
      const [counted, card] = await Promise.all([fetch(addressOf("preview.json")), fetched("card.svg")]);
      if (!counted.ok) throw new Error(await counted.text());
      const told = await counted.json();
      if (wanted !== now.shown) return;
      items(find(".counts"), told.counts);
      items(find(".warnings"), told.warnings);
      items(find(".left ul"), told.left_out.length ? told.left_out : ["nothing"]);
      setText(find(".seen"), told.words);
      setText(find(".seen-now"), told.words);
      find(".seen-now").classList.toggle("open", told.level === "nothing");
      const old = now.picture;
      now.picture = URL.createObjectURL(card.blob);
      find("img").src = now.picture;
      if (old) URL.revokeObjectURL(old);
      root.dataset.level = told.level;
      root.dataset.shown = wanted;
    } catch (error) {
      if (wanted === now.shown) say(`No preview: ${error.message}`, true);
    }
    if (wanted === now.shown) root.classList.remove("busy");
  };

  return {
    hear: (data) => {
      now.data = data;
      setText(find(".link"), new URL(data.query, document.baseURI).href);
      setText(find(".command"), data.command);
      root.classList.toggle("whatif", data.hypothetical);
      drawLevels();
      drawSaves();
      show();
    },
    end: () => {
      if (now.picture) URL.revokeObjectURL(now.picture);
    },
  };
}

export default function (component) {
  const { data, parentElement } = component;
  let share = shares.get(parentElement);
  if (!share) {
    share = buildShare(parentElement.querySelector(".share"));
    shares.set(parentElement, share);
  }
  share.hear(data);
  return () => {
    shares.get(parentElement)?.end();
    shares.delete(parentElement);
  };
}
