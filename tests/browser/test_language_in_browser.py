"""Players and explorers in another language: nothing is left in English, and longer words find room.

The language is made up: each phrase is in brackets, and has no letters. So what has letters outside of brackets is a
name, or was forgotten.
"""

import json
import re

import pytest

import notebook_sne as ns
from notebook_sne.frontend import language
from tests.browser.pages import frames, until

pytestmark = pytest.mark.browser

SEEN = """root => {
    const seen = new Set();
    const note = text => { if (text && text.trim()) seen.add(text.trim()); };
    const walk = node => {
        for (const child of node.childNodes) {
            if (child.nodeType === Node.TEXT_NODE) note(child.textContent);
            if (child.nodeType !== Node.ELEMENT_NODE || child.translate === false) continue;
            for (const name of ["title", "aria-label", "aria-valuetext", "placeholder", "alt"])
                note(child.getAttribute(name));
            if (child.tagName !== "STYLE") walk(child);
        }
    };
    note(root.getAttribute("aria-label"));
    walk(root);
    return [...seen];
}"""
TOO_NARROW = """root => {
    const wide = [...root.querySelectorAll("button, select, label, h5, dt, .nsne-note")].filter(
        one => one.checkVisibility() && one.clientWidth && one.scrollWidth > one.clientWidth + 1
            && getComputedStyle(one).textOverflow !== "ellipsis"
    );
    const page = document.scrollingElement;
    return [...wide.map(one => one.textContent || one.title), ...(page.scrollWidth > innerWidth ? ["the page"] : [])];
}"""
NAMES = re.compile(
    r"(?:Neg-|InfoNC-)?t-SNE|UNI-SNE|SNE|GTM|TSNE|UNISNE|NCA|nats|Hinton & Roweis|van der Maaten & Hinton|Cook et al\."
    r"|UMAP|Fig\.|Ctrl|Cmd|demonstration|section"
)


@pytest.fixture
def other(monkeypatch, tmp_path):
    """Switch to the made-up language, or to a real one by its name."""

    def begin(name="xx"):
        if name == "xx":
            bracketed = {key: f"⟦{re.sub(r'(?<!{)[^{} ](?!})', '·', key)}⟧" for key in language.table("de")}
            (tmp_path / "xx.json").write_text(json.dumps(bracketed), encoding="utf-8")
            monkeypatch.setattr(language, "TABLES", tmp_path)
        ns.set_language(name)

    yield begin
    monkeypatch.undo()
    ns.set_language("en")
    language.table.cache_clear()


@pytest.fixture(scope="module")
def digits():
    digits = ns.datasets.load_digits()
    return digits.X[:200], digits.labels[:200]


def player(digits, path):
    """Write a page that computes: a run with a knob turned, some objects held, and all kinds of marks."""
    X, labels = digits
    model = ns.TSNE(perplexity=10, exaggeration=ns.Steps(4.0, 1.0, at=10), random_state=0)
    player = ns.watch(model, X, labels=[f"№{one}" for one in labels], autoplay=False)
    player.run.steps(20)
    player.run.set(perplexity=12.0)
    player.run.steps(5)
    player.run.pin([1, 2])
    player.run.step()
    player.to_html(path, live=True)
    player.run.close()
    return path


def explorer(path):
    words = ns.datasets.load_word_relations()
    fits = [
        ns.AspectMaps(n_maps=3, input="probabilities", max_iter=30, random_state=seed).fit(words.P) for seed in range(2)
    ]
    ns.explore(fits, [f"{i}" for i in range(words.P.shape[0])]).to_html(path)
    return path


def left_in_english(seen):
    """What has letters outside of brackets, and is no name."""
    left = set()
    for text in seen:
        rest = text
        while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "", rest)) != rest:
            rest = shorter
        rest = re.sub(r"[⟦⟧·]+", "", rest)  # keys that are written as several
        if re.search(r"[A-Za-z]{3}", NAMES.sub("", rest)):
            left.add(text)
    return left


def test_nothing_in_a_player_is_left_in_english(open_page, other, digits, tmp_path):
    other()
    view = open_page(player(digits, tmp_path / "player.html"), ".nsne-player")
    view.until(lambda v: v.read("connected") == "true")
    seen = set(view.root.evaluate(SEEN))
    view.root.focus()
    for key in (
        "?",
        "Escape",
        "n",
        "Enter",
        "e",
        "x",
        "x",
        "c",
        "c",
        "c",
        "w",
        "h",
        "l",
        "t",
        "k",
        "+",
        "PageUp",
        "[",
        "s",
    ):
        view.page.keyboard.press(key)
        frames(view.page)
        seen |= set(view.root.evaluate(SEEN))
    view.control("play").click()
    view.until(lambda v: v.read("status") == "running")
    seen |= set(view.root.evaluate(SEEN))
    assert left_in_english(seen) == set()
    assert sum("⟦" in text for text in seen) > 100


def test_nothing_in_an_explorer_is_left_in_english(open_page, other, tmp_path):
    other()
    view = open_page(explorer(tmp_path / "explorer.html"), ".nsne-explorer")
    view.until(lambda v: v.read("ready") == "true")
    seen = set(view.root.evaluate(SEEN))
    for word in "7", "none":
        view.control("search").fill(word)
        view.page.keyboard.press("Enter")
        frames(view.page)
        seen |= set(view.root.evaluate(SEEN))
    for control in ("words", "details", "all-maps"):
        view.control(control).click()
        seen |= set(view.root.evaluate(SEEN))
    view.control("map").first.click()
    seen |= set(view.root.evaluate(SEEN))
    assert left_in_english(seen) == set()
    assert sum("⟦" in text for text in seen) > 40


@pytest.mark.parametrize("width", [390, 1280])
def test_german_finds_room(open_page, other, digits, tmp_path, width):
    other("de")
    screen = {"viewport": {"width": width, "height": 844}}
    view = open_page(player(digits, tmp_path / "player.html"), ".nsne-player", **screen)
    view.until(lambda v: v.read("connected") == "true")
    assert view.root.get_attribute("lang") == "de" and view.page.locator("html").get_attribute("lang") == "de"
    assert view.root.evaluate(TOO_NARROW) == []
    assert view.control("step").get_attribute("aria-label").startswith("Ein Schritt")
    view.root.focus()
    view.page.keyboard.press("?")
    assert view.root.locator(".nsne-help dt").first.is_visible()
    assert view.root.evaluate(TOO_NARROW) == []  # each key in its column
    view = open_page(explorer(tmp_path / "explorer.html"), ".nsne-explorer", **screen)
    view.until(lambda v: v.read("ready") == "true")
    view.control("search").fill("7")
    view.page.keyboard.press("Enter")
    until(view.page, lambda: view.read("word") == "7")
    assert view.root.evaluate(TOO_NARROW) == []
