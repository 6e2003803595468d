// MathJax is in this folder; it renders only what Sphinx has marked as a formula.
window.MathJax = {
  tex: { inlineMath: [["\\(", "\\)"]], displayMath: [["\\[", "\\]"]], processEscapes: true },
  svg: { fontCache: "local" },
  options: { enableMenu: false, ignoreHtmlClass: "bd-container", processHtmlClass: "math" },
  startup: {
    pageReady: () =>
      MathJax.startup.defaultPageReady().then(() => {
        document.body.dataset.typeset = "done";
        document.dispatchEvent(new Event("typeset"));
      }),
  },
};
