// A paper problem in a page: fields, a verdict, another problem. In a notebook the kernel draws the numbers and shows them as
// Markdown above; on the site they were drawn beforehand (docs/_static/paper_problems_page.js). This script judges answers.
function render({ model, el }) {
  el.classList.add("kcourse-problems");
  const keep = (event) => {
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (el.contains(event.target) && !shortcut) event.stopPropagation(); // as in explorer.js: plain keys belong to the control
  };
  window.addEventListener("keydown", keep, true);
  const id = `kcourse-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

  const chooser = document.createElement("select");
  for (const [i, title] of model.get("titles").entries()) chooser.append(new Option(title, i));
  chooser.value = model.get("ask").problem;
  const which = labelled("Problem", chooser);
  const form = document.createElement("form");
  const fields = document.createElement("div");
  const hint = document.createElement("p");
  const buttons = document.createElement("div");
  const check = button("Check", "submit");
  const again = button("Another one");
  const solve = button("Solution");
  buttons.append(check, again, solve);
  const verdict = document.createElement("p");
  verdict.setAttribute("role", "status");
  form.append(fields, hint, buttons);
  el.append(which, form, verdict);

  let read = () => [];
  const lay = () => {
    const task = model.get("task");
    verdict.textContent = verdict.className = "";
    hint.textContent = task.asks;
    [read] = laid(fields, task, id);
  };
  const ask = (problem, solved = false) => {
    const { turn } = model.get("ask");
    model.set("ask", { problem: Number(problem), turn: solved ? turn : turn + 1, solved });
    model.save_changes();
  };
  chooser.addEventListener("change", () => ask(chooser.value));
  again.addEventListener("click", () => ask(chooser.value));
  solve.addEventListener("click", () => ask(chooser.value, true));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [right, says, given] = judged(model.get("task"), read());
    verdict.textContent = says;
    verdict.className = right ? "right" : "";
    if (given === null) return;
    model.set("answered", { turn: model.get("ask").turn, given, says, right });
    model.save_changes();
  });
  model.on("change:task", lay);
  lay();
  return () => {
    window.removeEventListener("keydown", keep, true);
    model.off("change:task", lay);
  };
}

function button(text, type = "button") {
  const made = document.createElement("button");
  Object.assign(made, { type, textContent: text });
  return made;
}

function labelled(text, input) {
  const label = document.createElement("label");
  const words = document.createElement("span");
  words.textContent = text;
  label.append(words, input);
  return label;
}

// Put the fields of a task into place; returns a function that reads them.
function laid(place, task, id) {
  place.replaceChildren();
  place.style.gridTemplateColumns = task.columns ? `repeat(${task.columns}, max-content)` : "";
  place.className = task.columns ? "fields matrix" : "fields";
  const readers = task.fields.map((field, i) => {
    if (field.options.length) {
      const group = document.createElement("fieldset");
      const legend = document.createElement("legend");
      legend.textContent = field.label || "Answer";
      group.append(legend);
      for (const [letter, text] of field.options) {
        const input = document.createElement("input");
        Object.assign(input, { type: "radio", name: `${id}-${i}`, value: letter });
        input.setAttribute("aria-label", `${letter}: ${text}`);
        const row = labelled(letter, input);
        row.prepend(input);
        group.append(row);
      }
      place.append(group);
      return () => group.querySelector(":checked")?.value ?? "";
    }
    const input = document.createElement("input");
    Object.assign(input, { type: "text", size: 8, autocomplete: "off", spellcheck: false });
    place.append(labelled(field.label, input));
    return () => input.value.trim();
  });
  return [() => readers.map((reader) => reader())];
}

// "3", "-0.5", "0,5", "-3/4" with any minus; null if it is not a number.
function number(text) {
  const plain = text.replace(/[−–]/g, "-").replace(/\s/g, "").replace(",", ".");
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:\/(\d+))?$/.exec(plain);
  if (!match || Number(match[2] ?? 1) === 0) return null;
  return Number(match[1]) / Number(match[2] ?? 1);
}

// Returns whether the answer is right, the verdict, and the answer to note down, null if it is not complete.
function judged(task, texts) {
  if (texts.some((text) => !text)) return [false, texts.length > 1 ? "Fill in every field." : "Fill in your answer.", null];
  const given = texts.join(", ");
  let values = texts.map((text) => text.toUpperCase().replace(/[\s,]/g, ""));
  if (task.kind === "numbers") {
    values = texts.map(number);
    const odd = values.indexOf(null);
    if (odd >= 0) return [false, `“${texts[odd]}” is not a number. Write for example 3, -0.5 or 3/4.`, null];
  }
  const close = (a, b) => (task.kind === "numbers" ? Math.abs(a[0] - b) <= a[1] + 1e-9 : a === b); // a number, its tolerance
  const is = (answer) => answer.every((value, i) => close(value, values[i]));
  if (is(task.right)) return [true, "Right.", given];
  const places = task.right.map((value, i) => close(value, values[i]));
  if (task.kind === "choice") {
    const told = task.fields.flatMap(({ label }, i) => {
      const mistake = places[i] ? null : task.wrong.find(({ answer }) => answer[i] === values[i]);
      return mistake ? [label ? `${label} ${mistake.says}` : mistake.says] : [];
    });
    return [false, `Not right. ${told.join(" ")}`, given];
  }
  const mistake = task.wrong.find(({ answer }) => is(answer));
  if (mistake) return [false, `Not right. ${task.kind === "numbers" ? `You get this ${mistake.says}.` : mistake.says}`, given];
  const count = places.filter(Boolean).length;
  const some = task.kind === "numbers" && count ? ` ${count} of the ${places.length} numbers ${count > 1 ? "are" : "is"} right.` : "";
  return [false, `Not right.${some} This is not a known mistake.`, given];
}

export default { render };
