// How the search of the site orders what it finds: first what helps a reader, then what was measured and decided, pages
// so long that they have every word. The numbers are Sphinx's own.
var Scorer = {
  score: ([page, , , , score]) => (page.startsWith("guide/") ? 2 : page.startsWith("about/") ? 0.5 : 1) * score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
