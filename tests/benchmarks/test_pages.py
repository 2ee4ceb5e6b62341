"""The pages of benchmarks/ against the kept results: nothing is measured here."""

import dataclasses
import json
import shutil
from urllib.parse import unquote

import pytest

from benchmarks import papers, table
from benchmarks.claims.claim import NOT_ATTEMPTED, PARTLY, REPRODUCED, VERDICTS, Kept, percent, spread
from benchmarks.record import RESULTS

CLAIMS = [claim for _, claims in papers.SOURCES for claim in claims]
MOST_BYTES, MOST_BYTES_IN_ALL = 150_000, 1_500_000


def test_the_papers_page_is_that_of_the_kept_results():
    written = papers.PAGE.read_text(encoding="utf-8")
    assert written == papers.page(), "run python -m benchmarks.papers"


def test_the_page_of_tables_is_that_of_the_kept_results():
    written = (RESULTS.parent / "README.md").read_text(encoding="utf-8")
    assert written == table.page(), "run python -m benchmarks.table"


def test_every_table_has_a_title_and_a_note():
    assert set(table.TITLES) == set(table.NOTES)
    assert {path.stem for path in RESULTS.glob("*.json")} <= set(table.TITLES)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.what)
def test_a_verdict_has_its_ground(claim):
    assert claim.verdict in VERDICTS and claim.reason and claim.paper
    if claim.verdict == NOT_ATTEMPTED:
        assert not claim.results and claim.ours is None
    elif claim.results:
        assert claim.ours is not None and claim.data and claim.settings
        assert claim.holds is not None or str(claim.reason).startswith(("A formula", "A stand-in"))


def test_a_verdict_that_the_results_contradict_is_refused(tmp_path):
    claim = next(claim for claim in CLAIMS if claim.results == ("e1_usps",))
    shutil.copy(RESULTS / "e1_usps.json", tmp_path)
    assert claim.holds(Kept(tmp_path))
    stored = json.loads((tmp_path / "e1_usps.json").read_text(encoding="utf-8"))
    for row in stored["rows"]:
        row["cost, median"] += 1000
    (tmp_path / "e1_usps.json").write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(ValueError, match="no longer bear the verdict 'reproduced'"):
        papers.check(claim, Kept(tmp_path))
    with pytest.raises(ValueError, match="must be one of"):
        papers.check(dataclasses.replace(claim, verdict="met"), Kept(RESULTS))


def test_a_claim_waits_for_its_results(tmp_path):
    page = papers.page(Kept(tmp_path))
    assert f"| {papers.WAITING} |" in page
    assert f"| {REPRODUCED} |" in page  # what tests alone bear


def test_figures_are_small_and_all_are_shown():
    files = [path for path in papers.FIGURES.iterdir() if path.suffix in (".svg", ".png")]
    assert {path.name for path in files} >= {claim.figure for claim in CLAIMS if claim.figure}
    assert {path.name for path in files} <= {claim.figure for claim in CLAIMS}
    assert max(path.stat().st_size for path in files) <= MOST_BYTES
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES_IN_ALL


def test_links_within_the_page_lead_somewhere():
    page = papers.page()
    headings = {papers.anchor(line[4:]) for line in page.splitlines() if line.startswith("### ")}
    assert len(headings) == len(CLAIMS)
    for part in page.split("](")[1:]:
        target = unquote(part.partition(")")[0])
        assert target[1:] in headings if target.startswith("#") else (papers.PAGE.parent / target).exists()


def test_medians_are_written_with_what_was_kept_of_their_spread():
    assert spread({"KL, median": 1.5, "KL, range": "1.4-1.7"}, "KL") == "1.5 (1.4 to 1.7)"
    assert spread({"KL, median": 2e-5, "KL, range": "1.2e-05-3.1e-05"}, "KL") == "2e-05 (1.2e-05 to 3.1e-05)"
    assert spread({"KL, median": 1.5, "KL, greatest": 1.7}, "KL") == "1.5 (at most 1.7)"
    assert spread({"KL, median": 1500.4, "KL, least": 1400, "KL, greatest": 1600.6}, "KL", "{:.0f}") == (
        "1500 (1400 to 1601)"
    )
    assert (percent(0.66), percent(0.0644), percent(0.008), percent(1.0)) == ("66 %", "6.4 %", "0.8 %", "100 %")


def test_the_kept_results_are_looked_up_by_their_cells():
    row = Kept().row("e3_two_maps", settings="plain L-BFGS", standard_deviation=0.7)
    assert row["seeds"] == 20
    with pytest.raises(LookupError, match="found 3"):
        Kept().row("e3_two_maps", settings="plain L-BFGS")
    assert PARTLY in VERDICTS
