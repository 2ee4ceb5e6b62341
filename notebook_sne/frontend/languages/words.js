// The table of a language: its words by the English ones. English needs none. In a widget or a page of another language
// its table stands here, as Python puts the modules together (`frontend/bundle.py`).

export const LANGUAGE = "en";

/** @type {Record<string, string>} */
export const WORDS = {};
