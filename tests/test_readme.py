"""What the README says is so, and the list of the lectures."""

import re
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from notebook_sne.course.order import parts_of
from tests.test_paper import kept

ROOT = Path(__file__).parents[1]
README, LIST = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "tutorials/README.md"))
COURSE = sorted((ROOT / "tutorials").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize(("text", "home"), [(README, ROOT), (LIST, ROOT / "tutorials")], ids=["README", "list"])
def test_its_links_lead_somewhere(text, home):
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert len(targets) > 5
    for target in targets:
        # `notebook-sne lab` copies the list with the lectures, and nothing of the repository beside them.
        assert (home / target).exists() and (home / target).resolve().is_relative_to(home), target


def test_the_course_is_listed_by_its_questions():
    parts = parts_of(ROOT / "tutorials")
    assert list(parts) == ["The map", "Using maps", "More than one place", "Beyond"]
    listed = [one for lectures in parts.values() for one in lectures]
    assert sorted(one.name for one in listed) == [path.name for path in COURSE]
    for number, question, name, words in listed:
        assert number == int(name[:2]) and words.endswith(".")
        assert nbformat.read(ROOT / "tutorials" / name, as_version=4).cells[0].source.startswith(f"# {question}\n")


def test_binder_opens_the_first_tutorial():
    target = re.search(r"mybinder\.org/v2/\S+?\?urlpath=lab/tree/([^)]+)\)", README)
    assert unquote(target[1]) == f"tutorials/{COURSE[0].name}"


@pytest.mark.parametrize(
    ("column", "fit"), enumerate(["notebook_sne", "scikit-learn", "scikit-learn-intelex", "openTSNE"])
)
def test_its_figures_of_large_fits_are_those_that_were_kept(column, fit):
    few, many = (kept("ends", objects=n, **{"until the end of": fit}) for n in (10_000, 70_000))
    for line, figure in (
        ("10,000 MNIST images: seconds", f"{few['seconds']:.1f}"),
        ("70,000: seconds", f"{many['seconds']:.1f}"),
        ("its KL divergence, on the same P", f"{many['KL']:.3f}"),
        ("seconds until ours is as low", f"{many['ours, seconds']:.1f}" if column else ""),
    ):
        cells = next(text for text in README.splitlines() if text.startswith(f"| {line}")).split("|")
        assert cells[2 + column].strip() == figure


@pytest.mark.parametrize("column, fit", [(0, "t-SNE"), (3, "openTSNE")])
def test_its_figures_of_a_million_are_those_that_were_kept(column, fit):
    name = "million_descent" if fit == "t-SNE" else "million_peers"
    row = kept(name, objects=1_000_000, fit=fit)
    (line,) = (text for text in README.splitlines() if text.startswith("| 1,000,000: minutes"))
    took, share = f"{row['seconds'] / 60:.0f}, {row['peak, MB'] / 1000:.1f}", f"{100 * row['neighbors kept']:.1f}%"
    assert line.split("|")[2 + column].strip() == f"{took}, {share}"


def test_what_a_million_objects_take_stands_beside_what_their_maps_keep():
    rows = [kept("million", objects=1_000_000, fit=fit) for fit in ("SNE", "symmetric SNE", "UNI-SNE")]
    said = " ".join((ROOT / "docs" / "guide" / "many.md").read_text(encoding="utf-8").split())
    minutes = [f"{row['seconds'] / 60:.0f}" for row in rows]
    shares = [f"{100 * row['neighbors kept']:.1f}%" for row in rows]
    some = "SNE, symmetric SNE and UNI-SNE of a million take {}, {} and {} minutes, but keep only {}, {} and {} of "
    assert (some + "the neighbors: their maps are useless").format(*minutes, *shares) in said


def test_what_embeddings_take_is_what_was_kept():
    rows = {
        (objects, given): kept("embeddings", objects=objects, **{"given to t-SNE": given})
        for objects in (20_000, 1_800)
        for given in ("all numbers", "50 components")
    }
    said = " ".join((ROOT / "docs" / "guide" / "texts.md").read_text(encoding="utf-8").split())
    whole, part = rows[20_000, "all numbers"], rows[20_000, "50 components"]
    core, peak = "seconds of a core, both", "peak, MB"
    assert f"took {whole[core]} seconds of a core and at most {whole[peak]} MB" in said
    assert f"given as 50 components, it took {part[core]} seconds and {part[peak]} MB" in said
    whole, part = rows[1_800, "all numbers"], rows[1_800, "50 components"]
    shares = [f"{100 * row['neighbors kept']:.1f}%" for row in (whole, part)]
    wanted = (
        "the map of all numbers keeps {} of the ten nearest neighbors, and that of 50 components {} (medians of five"
    )
    assert wanted.format(*shares) in said and whole["seeds"] == part["seeds"] == 5
    assert whole["kept, range"].split("-")[0] > part["kept, range"].split("-")[1]  # the ranges do not touch
