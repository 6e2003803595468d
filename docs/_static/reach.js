// Make boxes that scroll sideways reachable with the keyboard, and fade them where they continue: wide formulas and code,
// and figures and tables on a narrow screen.
const more = (box) =>
  box.classList.toggle("kc-more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
const THEIRS = ".pst-scrollable-table-container, div.highlight > pre"; // the theme sets their tabindex
const OURS = "div.math, span.math, .cell_output .text_html, .kc-picture";
// Shrink a formula that is a little too wide, to four fifths at most.
const shrink = () => {
  for (const box of document.querySelectorAll("div.math")) {
    box.style.fontSize = "";
    for (let size = 98; size >= 80 && box.scrollWidth > box.clientWidth; size -= 2) box.style.fontSize = `${size}%`;
  }
};
const reach = () => {
  shrink();
  for (const box of document.querySelectorAll(`${OURS}, ${THEIRS}`)) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else if (box.matches(OURS)) box.removeAttribute("tabindex");
    more(box);
  }
};
addEventListener("load", reach, true); // pictures also have their width only now
addEventListener("resize", reach);
addEventListener("scroll", ({ target }) => target.matches?.("[tabindex]") && more(target), true);
document.addEventListener("toggle", reach, true); // folded content has a width only now
document.addEventListener("typeset", reach); // formulas have a width only now

// The theme's button that unfolds a part of the list of pages has no accessible name.
for (const toggle of document.querySelectorAll(".bd-sidebar .toctree-toggle")) {
  const page = toggle.closest("li")?.querySelector("a")?.textContent ?? "";
  toggle.closest("summary")?.setAttribute("aria-label", `Pages below ${page}`);
}

// With file:// a page cannot read another, so a search lists titles without their text.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// Open all folds, to search the page or to print it with its answers.
for (const button of document.querySelectorAll(".kc-folds")) {
  const folds = document.querySelectorAll(".bd-article details");
  button.hidden = !folds.length;
  button.addEventListener("click", () => {
    const open = button.textContent.startsWith("Open");
    for (const fold of folds) fold.open = open;
    button.textContent = open ? "Close all folds" : "Open all folds";
  });
}
