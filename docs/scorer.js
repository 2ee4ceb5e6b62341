// How the search of the site orders what it finds: first what helps a reader, the guide and what the lectures and their
// glossary explain; last what was measured and decided, pages so long that they have every word, and the attributes that
// many classes have under one name. The numbers are Sphinx's own.
var Scorer = {
  score: ([page, , , told, score]) =>
    score *
    (/^(guide|course)\/(?!solutions)/.test(page) ? 2 : /^(about\/(?!citation)|course\/solutions\/)/.test(page) ? 0.5 : 1) *
    (/^Python (attribute|property)/.test(told) ? 0.5 : 1),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
