// Paper problems on a page without a kernel: fields and verdicts are those of the notebook (kcourse/paper_problems/paper_problems.js),
// numbers were drawn beforehand and are loaded when needed. Without this script only the first problem is shown.
window.kcourseByHand = (() => {
  const waiting = new Map();
  const banks = new Map();

  // Called by paper_problems/chNN_name.js, which pages can load from a folder or from a server.
  const bring = async (chapter, packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    waiting.get(chapter)(await new Response(plain).json());
  };

  const bank = (chapter) => {
    if (!banks.has(chapter)) {
      const script = Object.assign(document.createElement("script"), { src: `../paper_problems/${chapter}.js` });
      banks.set(chapter, new Promise((come, fail) => { waiting.set(chapter, come); script.onerror = fail; }));
      document.head.append(script);
    }
    return banks.get(chapter);
  };

  let typeset = Promise.resolve(); // one after the other: MathJax renders one part at a time
  const set = (place, html) => {
    place.innerHTML = html;
    typeset = typeset.then(() => window.MathJax?.startup?.promise).then(() => MathJax.typesetPromise([place])).catch(() => {});
  };

  for (const place of document.querySelectorAll(".kc-problems")) {
    const { chapter, titles, first } = JSON.parse(place.querySelector("script").textContent);
    const statement = place.querySelector(".kc-statement");
    const noted = document.createElement("ul");
    let shown = first;
    const latest = { 0: first }; // of each problem; it is shown again when a reader comes back to the problem
    const state = { titles, ask: { problem: 0, turn: 0, solved: false }, task: first.task };
    const listeners = [];
    const model = {
      get: (name) => state[name],
      set: async (name, value) => {
        const old = state[name];
        state[name] = value;
        if (name === "answered") {
          noted.append(Object.assign(document.createElement("li"), { textContent: `${shown.title}: ${value.given}. ${value.says}` }));
        } else if (name === "ask") {
          if (value.turn !== old.turn) {
            if (value.problem === old.problem || !latest[value.problem]) {
              const drawn = (await bank(chapter))[value.problem];
              latest[value.problem] = drawn[Math.floor(Math.random() * drawn.length)];
            }
            shown = latest[value.problem];
            state.task = shown.task;
            listeners.forEach((hear) => hear());
          }
          set(statement, shown.statement + (value.solved ? shown.solution : ""));
        }
      },
      save_changes: () => {},
      on: (_, hear) => listeners.push(hear),
      off: () => {},
    };
    const el = document.createElement("div");
    window.kcourseProblemFields({ model, el });
    place.append(el, noted);
  }
  return { bring };
})();
