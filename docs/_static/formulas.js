// MathJax lies beside this file; it sets what Sphinx marked as a formula and nothing else.
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
