"""Every phrase that a reader sees has its words in each language, and the words that there are have a phrase."""

import ast
import json
import re
from pathlib import Path

import pytest

import notebook_sne as ns
from notebook_sne.cli.command import main
from notebook_sne.cli.tutorials import copy_tutorials, tutorials_folder
from notebook_sne.frontend import language
from notebook_sne.frontend.bundle import EXPLORER_MODULES, FOLDER, PLAYER_MODULES, join_modules
from notebook_sne.frontend.page import page_of
from tools import phrases
from tools.phrases import COMMENT, MADE, MODULES

OTHERS = language.languages()[1:]


@pytest.fixture(autouse=True)
def english_again():
    yield
    ns.set_language("en")


def test_what_a_language_lacks_is_listed_and_stays_english(monkeypatch, capsys):
    ns.set_language("de")
    table = dict(language.table("de"))
    del table["Knobs"]
    monkeypatch.setattr(language, "table", lambda name: {**table, "nothing says this": "das sagt nichts"})
    lacking, unused = phrases.gaps("de")
    assert "Knobs" in lacking and "Course" not in lacking and "nothing says this" in unused
    assert language.phrase("Knobs") == "Knobs" and language.phrase("Course") == "Kurs"
    phrases.main()
    assert "lacks 'Knobs'" in capsys.readouterr().out


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_put_in_stands_in_the_other_words_too(name):
    for english, own in language.table(name).items():
        assert own.strip() and sorted(re.findall(r"\{\d+\}", english)) == sorted(re.findall(r"\{\d+\}", own)), english
        assert english.startswith(" ") == own.startswith(" ") and english.endswith(" ") == own.endswith(" "), english
        assert not re.search(r"</script|<!--", own, re.IGNORECASE)


def test_what_python_makes_of_parts_is_said_somewhere():
    """Each such phrase is made by a piece of Python: its longest piece of text stands in the sources."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(ns.__file__).parent.rglob("*.py")))
    sources += "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    plain = re.sub(r'"\s*\n\s*f?"', "", sources).lower()
    for key in MADE:
        piece = max(re.split(r"\{\d+\}", key), key=len).strip(" ,").lower()
        assert piece in plain or piece.replace(" ", "") in plain, key


def shown_texts(path):
    """Yield texts of a module in places where a reader would see them: of elements, and of what is told of them."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    for found in re.finditer(r'(?:title|placeholder|"aria-label"|alt): "([^"]*)"', text):
        yield found[1]
    for found in re.finditer(r'\b(?:write|say|speak)\([^;`]*?"([^"]*)"\)', text):
        yield found[1]
    for found in re.finditer(r'make\("\w+", \{[^{}]*\}, "([^"]*)"', text):
        yield found[1]


def test_no_module_says_a_word_in_one_language_only():
    shown = [(path.relative_to(FOLDER).as_posix(), text) for path in MODULES for text in shown_texts(path)]
    faults = [f"{name}: {text}" for name, text in shown if re.search(r"[A-Za-z]{3}", text) and text[:5] != "nsne-"]
    assert not faults, "\n".join(faults)


def test_english_is_what_the_modules_say():
    ns.set_language("en")
    assert 'LANGUAGE = "en"' in join_modules(*PLAYER_MODULES)
    ns.set_language("de")
    german = join_modules(*PLAYER_MODULES)
    assert 'LANGUAGE = "de"' in german and '"Knobs":"Regler"' in german
    assert 'LANGUAGE = "de"' in join_modules(*EXPLORER_MODULES)


def test_a_page_says_its_language():
    ns.set_language("de")
    page = page_of(kind="film", traits={}, title="").decode()
    assert '<html lang="de">' in page and language.table("de")[language_of_no_script()] in page
    ns.set_language("en")
    assert '<html lang="en">' in page_of(kind="film", traits={}, title="").decode()


def language_of_no_script():
    from notebook_sne.frontend.page import NO_SCRIPT

    return NO_SCRIPT


def test_each_language_has_a_front_end_of_its_own_and_one_alone():
    from notebook_sne.widgets.shared import front_end

    english = front_end(PLAYER_MODULES, ())
    ns.set_language("de")
    german = front_end(PLAYER_MODULES, ())
    assert german is not english and german is front_end(PLAYER_MODULES, ())
    ns.set_language("en")
    assert front_end(PLAYER_MODULES, ()) is english


@pytest.mark.parametrize("name", ["xx", "EN", "", "../de", None, 3])
def test_an_unknown_language_is_refused_with_those_that_there_are(name):
    with pytest.raises(ValueError, match="name must be one of en, de, got"):
        ns.set_language(name)


def test_the_environment_names_the_first_language(monkeypatch):
    monkeypatch.setattr(language, "_present", None)
    assert language.language() == "en"
    monkeypatch.setenv(language.VARIABLE, "de")
    assert language.language() == "de" and language.phrase("Course") == "Kurs"
    monkeypatch.setenv(language.VARIABLE, "klingon")
    with pytest.raises(ValueError, match="NOTEBOOK_SNE_LANGUAGE must be one of en, de, got 'klingon'"):
        language.language()


def test_the_command_line_names_the_languages(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        main(["page", "run.npz", "--language", "fr"])
    assert "choose from" in (said := capsys.readouterr().err) and "de" in said
    monkeypatch.setattr(language, "_present", None)
    monkeypatch.setenv(language.VARIABLE, "fr")
    assert main(["page", "run.npz"]) == 1
    assert "NOTEBOOK_SNE_LANGUAGE must be one of en, de, got 'fr'" in capsys.readouterr().err


def test_a_page_of_the_command_line_is_in_the_language_that_is_asked_for(tmp_path):
    run = ns.Run(ns.TSNE(perplexity=5, max_iter=3, random_state=0), ns.datasets.load_clusters((20, 20), widths=1.0).X)
    run.steps(2)
    run.recording.save(tmp_path / "run.npz")
    assert main(["page", str(tmp_path / "run.npz"), "--language", "de"]) == 0
    assert '<html lang="de">' in (tmp_path / "run.html").read_text(encoding="utf-8")


@pytest.fixture
def lectures(tmp_path):
    folder = tmp_path / "tutorials"
    (folder / "de" / "solutions").mkdir(parents=True)
    for name, text in {"01-a.ipynb": "one", "02-b.ipynb": "two", ".hidden": "", "de/01-a.ipynb": "eins"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_translated_lecture_stands_in_the_place_of_its_original(lectures, tmp_path):
    def shown():
        return {name: path.read_text(encoding="utf-8") for name, path in language.in_language(lectures).items()}

    assert shown() == {"01-a.ipynb": "one", "02-b.ipynb": "two"}
    ns.set_language("de")
    assert shown() == {"01-a.ipynb": "eins", "02-b.ipynb": "two"}
    copy_tutorials(lectures, tmp_path / "mine")
    assert (tmp_path / "mine" / "01-a.ipynb").read_text(encoding="utf-8") == "eins"
    assert not (tmp_path / "mine" / "de").exists()
    ns.set_language("en")
    copy_tutorials(lectures, tmp_path / "mine")  # not changed by the reader, and so in English again
    assert (tmp_path / "mine" / "01-a.ipynb").read_text(encoding="utf-8") == "one"


TRANSLATED = [path for name in OTHERS for path in sorted((tutorials_folder() / name).rglob("*.ipynb"))]


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.relative_to(tutorials_folder()).as_posix())
def test_a_translation_has_the_cells_and_the_code_of_its_original(path):
    name = path.relative_to(tutorials_folder()).parts
    own, original = (
        json.loads(one.read_text(encoding="utf-8"))["cells"] for one in (path, tutorials_folder().joinpath(*name[1:]))
    )
    assert [cell["cell_type"] for cell in own] == [cell["cell_type"] for cell in original]
    for cell, first in zip(own, original, strict=True):
        if cell["cell_type"] == "code":
            assert shape_of(cell) == shape_of(first)


def shape_of(cell):
    """The code of a cell without its texts and comments, which are translated."""
    tree = ast.parse("".join(cell["source"]))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)
