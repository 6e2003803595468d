// What scrolls sideways can be reached with the keyboard: wide formulas, and figures on a narrow screen.
const reach = () => {
  for (const box of document.querySelectorAll("div.math, .cell_output .text_html, .kcourse-explorer")) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("load", reach);
addEventListener("resize", reach);
document.addEventListener("typeset", reach); // formulas have their width only then

// The theme's button that unfolds a part of the list of pages has no name.
for (const toggle of document.querySelectorAll(".bd-sidebar .toctree-toggle")) {
  const page = toggle.closest("li")?.querySelector("a")?.textContent ?? "";
  toggle.closest("summary")?.setAttribute("aria-label", `Pages below ${page}`);
}

// Over file:// no page may read another, so a search lists titles without a piece of their text.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
