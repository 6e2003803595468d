// What Sphinx thinks of a result (its own numbers), and what this site does: a term of the glossary (conf.py) in the chapter
// that defines it, and chapters before the pages for those who teach or contribute, which are about the same words.
const asked = new URLSearchParams(location.search).get("q")?.trim().toLowerCase();
var Scorer = {
  score: ([page, , , , score]) =>
    score + (page === DEFINED[asked] ? 100 : 0) + (page.startsWith("notebooks/ch") ? 4 : /^(plans\/|contribute|changes|grading)/.test(page) ? -4 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
