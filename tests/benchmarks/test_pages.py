"""The pages of benchmarks/: their tables are those of the kept results, their links lead somewhere."""

import functools
import re
import shutil
import subprocess
from urllib.parse import unquote

import pytest

from benchmarks.record import RESULTS
from tests.benchmarks.pages import CLAIMS, PAPERS, SENSES, TABLES, VERDICTS, agree, kept, numbers, tables, values

FIGURES, DESCENT = RESULTS.parent / "figures", RESULTS.parent / "DESCENT.md"
MOST_BYTES, MOST_BYTES_IN_ALL = 150_000, 1_500_000


def anchor(title):
    """Return the name by which a heading of a page is linked."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_each_section_of_the_page_of_tables_ends_with_a_kept_result_and_each_has_one():
    sections = TABLES.read_text(encoding="utf-8").split("\n## ")[1:]
    ends = [tables.LINK.fullmatch(section.strip().split("\n\n")[-1])[1] for section in sections]
    assert sorted(ends) == sorted(path.stem for path in RESULTS.glob("*.json"))


@pytest.mark.parametrize(("page", "of"), [(TABLES, list), (SENSES, tables.short_rows)])
def test_a_page_is_filled_with_the_tables_of_its_links_and_has_none_by_hand(page, of):
    text, found = page.read_text(encoding="utf-8"), tables.filled(page)
    names = tables.LINK.findall(text)
    assert names and "\n|" not in text
    for name in names:
        link = f"[{name}.json](results/{name}.json), {kept(name)['date']}; "
        assert f"\n\n{tables.table(of(kept(name)['rows']))}\n\n{link}" in found
    assert len(re.findall(r"^\| --- ", found, re.MULTILINE)) == len(names)


def test_code_that_has_left_is_where_its_result_says():
    left = {code for path in RESULTS.glob("*.json") if (code := kept(path.stem).get("code"))}
    found = [re.fullmatch(r"(benchmarks/\S+\.py) of ([0-9a-f]{8,}), 20\d\d-\d\d-\d\d", code).groups() for code in left]
    assert found and not [path for path, _ in found if (RESULTS.parents[1] / path).exists()]
    there = functools.partial(subprocess.run, cwd=RESULTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for path, commit in found:
        # A copy without its history cannot be asked.
        if shutil.which("git") and there(["git", "cat-file", "-e", commit]).returncode == 0:
            there(["git", "cat-file", "-e", f"{commit}:{path}"], check=True)


def test_a_command_that_is_named_is_one_that_there_is():
    root = RESULTS.parents[1]
    for page in (*root.glob("*.md"), *root.glob("benchmarks/*.md"), *root.glob("docs/**/*.md")):
        for name in re.findall(r"(?:-m |`)(benchmarks\.\w[\w.]*\w)", page.read_text(encoding="utf-8")):
            place = root / name.replace(".", "/")
            assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), f"{page.name}: {name}"


def test_the_command_shows_a_table_or_a_page(capsys):
    tables.main(["limits"])
    assert capsys.readouterr().out.strip() == tables.shown("limits")
    tables.main([SENSES.name])
    assert capsys.readouterr().out.strip() == tables.filled(SENSES).strip()


def test_an_entry_has_a_verdict_a_source_and_a_reason():
    for claim in CLAIMS.values():
        assert claim.verdict in VERDICTS and claim.reason and claim.paper, claim.what
        assert anchor(f"{claim.what} ({claim.where})") == claim.anchor
        if claim.verdict == "not attempted":
            assert not claim.results and not claim.ours, claim.what
        elif claim.results:
            assert claim.ours and claim.facts["Data"] and claim.facts["Settings"], claim.what
        if "Taken up in" in claim.facts:
            (lecture,) = re.fullmatch(r"lecture (\d+)", claim.facts["Taken up in"]).groups()
            assert list((RESULTS.parents[1] / "tutorials").glob(f"{int(lecture):02}-*.ipynb")), claim.what


def test_every_heading_is_an_entry_of_the_table_above_it():
    headings = re.findall(r"^### (.+)$", PAPERS.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [f"{claim.what} ({claim.where})" for claim in CLAIMS.values()]


COMPUTED = {  # numbers that no kept result holds, as they add up several, or are what was set
    "Extra dimensions that are pressed flat": [118, 120],
    "Linear relational embedding": [112],
    "Two maps from one P": [40],
    "Are two copies two meanings?": [0.002],
    "The penalty keeps maps coherent": [0.48],
    "MNIST: symmetric SNE, then UNI-SNE": [0.0001],
    "The weird behavior of two aspect maps": [0.9],
    "Metric MDS and PCA": [60],
    "Clusters that a low perplexity tears": [5, 50],
}


def test_the_numbers_of_an_entry_are_in_the_kept_results_that_it_names():
    wrong = []
    for claim in CLAIMS.values():
        held = [*COMPUTED.get(claim.what, ()), *(value for name in claim.results for value in values(kept(name)))]
        for text in (claim.ours, claim.facts.get("Seconds", "")) if claim.results else ():
            for shown, half in numbers(text):
                if not any(abs(shown - value) <= half * (1 + 1e-6) for value in held):
                    wrong.append(f"{claim.what}: {shown:g}")
    assert not wrong


def test_verdicts_are_counted():
    (line,) = re.findall(r"^Of \d+ entries: .*$", PAPERS.read_text(encoding="utf-8"), re.MULTILINE)
    counts = [sum(claim.verdict == name for claim in CLAIMS.values()) for name in VERDICTS]
    agree(line, [len(CLAIMS), *counts])


@pytest.mark.parametrize("page", [PAPERS, TABLES, SENSES], ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    anchors = {anchor(title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    for target in map(unquote, re.findall(r"\]\(([^)\s]+)\)", text)):
        if "://" not in target:
            assert target[1:] in anchors if target.startswith("#") else (page.parent / target).exists(), target


def test_figures_are_small_and_all_are_shown():
    files = [path for path in FIGURES.iterdir() if path.suffix in (".svg", ".png")]
    assert {path.name for path in files} == {
        name
        for page in (PAPERS, DESCENT)
        for name in re.findall(r"\]\(figures/(.+?)\)", page.read_text(encoding="utf-8"))
    }
    assert max(path.stat().st_size for path in files) <= MOST_BYTES
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES_IN_ALL


# the test's own means


def test_numbers_are_read_with_the_digits_that_they_show():
    text = "1-NN error 3.7 % (at most 12 %) of 5,018 words in 4-D, KL 4.2e-06, COIL-20: 1.0, 72 at 2"
    found = [0.037, 0.12, 5018, 4.2e-6, 1.0, 72, 2]
    assert [value for value, _ in numbers(text)] == pytest.approx(found)
    agree(text, found)
    agree("KL 0.93, 6 %", [0.9349, 0.0551])


@pytest.mark.parametrize("values", [[0.9351], [0.9249], [], [0.93, 5]])
def test_a_number_that_is_another_one_is_found(values):
    with pytest.raises(AssertionError, match=r"KL 0\.93"):
        agree("KL 0.93", values)
