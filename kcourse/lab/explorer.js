// The browser's part of an interactive figure: native controls, the picture, and its alt text for a screen reader.
function render({ model, el }) {
  el.classList.add("kcourse-explorer");
  // Plain keys belong to the control, because JupyterLab would move to another cell. Ctrl+S and others go to JupyterLab.
  const keep = (event) => {
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (el.contains(event.target) && !shortcut) event.stopPropagation();
  };
  window.addEventListener("keydown", keep, true); // before other listeners
  // Radio buttons with the same name form one group in the whole page, and other figures may have a switch with the same
  // name. So each figure has its own names (random, because each loads this file again and a counter would restart) and
  // its own form.
  const id = `kcourse-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  const controls = document.createElement("form");
  controls.addEventListener("submit", (event) => event.preventDefault()); // Enter does nothing
  for (const face of model.get("faces")) {
    controls.append(face.kind === "choice" ? choice(model, face, id) : slider(model, face, id));
  }

  const picture = document.createElement("img");
  picture.width = model.get("width");
  const words = document.createElement("div"); // reads out the new alt text, once the control stays still
  words.className = "kcourse-spoken";
  words.setAttribute("role", "status");
  const problem = document.createElement("div");
  problem.className = "kcourse-problem";
  problem.setAttribute("role", "alert");
  el.append(controls, problem, picture, words);

  let address = "";
  let rest = 0;
  const draw = () => {
    const old = address;
    const made = model.get("picture"); // a PNG; on a page without a kernel (docs/_static) the address of a file
    address = typeof made === "string" ? made : URL.createObjectURL(new Blob([made], { type: "image/png" }));
    picture.addEventListener("load", () => URL.revokeObjectURL(old), { once: true });
    picture.src = address;
    picture.alt = model.get("alt");
  };
  const say = () => {
    clearTimeout(rest);
    rest = setTimeout(() => (words.textContent = model.get("alt")), 700);
  };
  model.on("change:picture", draw);
  model.on("change:alt", say);
  const complain = () => (problem.textContent = model.get("problem"));
  model.on("change:problem", complain);
  draw();
  complain();
  if (model.get("density") !== window.devicePixelRatio) {
    model.set("density", window.devicePixelRatio);
    model.save_changes();
  }
  return () => {
    window.removeEventListener("keydown", keep, true);
    clearTimeout(rest);
    URL.revokeObjectURL(address);
    model.off("change:picture", draw);
    model.off("change:alt", say);
    model.off("change:problem", complain);
  };
}

function slider(model, face, id) {
  const row = document.createElement("label");
  const input = document.createElement("input");
  const output = document.createElement("output");
  Object.assign(input, { type: "range", min: 0, max: face.texts.length - 1, step: 1, name: `${id}-${face.name}` });
  const read = () => {
    const at = model.get("at")[face.name];
    input.value = at;
    input.setAttribute("aria-valuetext", face.texts[at]);
    output.textContent = face.texts[at];
  };
  input.addEventListener("input", () => move(model, face.name, Number(input.value)));
  model.on("change:at", read);
  read();
  row.append(named(face.label), input, output);
  return row;
}

function choice(model, face, id) {
  const group = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = face.label;
  group.append(legend);
  const buttons = face.texts.map((text, at) => {
    const row = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: `${id}-${face.name}`, value: at });
    input.addEventListener("change", () => move(model, face.name, at));
    row.append(input, named(text));
    group.append(row);
    return input;
  });
  const read = () => (buttons[model.get("at")[face.name]].checked = true);
  model.on("change:at", read);
  read();
  return group;
}

function named(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}

function move(model, name, at) {
  model.set("at", { ...model.get("at"), [name]: at });
  model.save_changes();
}

export default { render };
