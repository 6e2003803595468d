// Interactive figures on a page without a kernel: the controls are those of JupyterLab (kcourse/lab/explorer.js), the
// pictures were drawn beforehand, one for each setting. Without this script only the first picture is shown.
for (const place of document.querySelectorAll(".kc-moving")) {
  const still = place.querySelector("img");
  const told = JSON.parse(place.querySelector("script").textContent);
  const state = { ...told, problem: "", density: window.devicePixelRatio, picture: still.getAttribute("src"), alt: still.alt };
  const listeners = new Map();

  const shown = () => told.faces.reduce((i, face) => i * face.texts.length + state.at[face.name], 0);
  const model = {
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      if (name !== "at") return;
      [state.picture, state.alt] = told.pictures[told.frames[shown()]];
      for (const changed of ["at", "picture", "alt"]) listeners.get(`change:${changed}`)?.forEach((hear) => hear());
    },
    save_changes: () => {},
    on: (event, hear) => listeners.set(event, [...(listeners.get(event) ?? []), hear]),
    off: (event, hear) => listeners.set(event, (listeners.get(event) ?? []).filter((other) => other !== hear)),
  };

  const el = document.createElement("div");
  window.kcourseExplorer({ model, el });
  const picture = el.querySelector("img");
  picture.height = still.height; // reserves its space while it loads
  const frame = document.createElement("div"); // on a narrow screen the picture scrolls, and the controls stay
  frame.className = "kc-picture";
  picture.before(frame);
  frame.append(picture);
  still.replaceWith(el);
  // a reader who uses a control will soon need all pictures
  el.addEventListener("focusin", () => told.pictures.forEach(([file]) => (new Image().src = file)), { once: true });
}
