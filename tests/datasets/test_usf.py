import re

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from notebook_sne.datasets import DamagedFile, associations, fetch_usf_associations, usf

HEADER = (
    "CUE, TARGET, NORMED?, #G, #P, FSG, BSG, MSG, OSG, #M, MMIAS, #O, OMIAS, QSS, QFR, QCON, QH, QPS, QMC, QPR, QRSG, "
    "QUC, TSS, TFR, TCON, TH, TPS, TMC, TPR, TRSG, TUC"
)
# Every file has its traps: the cue named CUE, another spelling of TFR, a self-response, odd targets, unsorted rows.
PAIRS = {
    "A-B": [("AGAIN", "AGAIN", 90, 3), ("AGAIN", "CUE", 90, 9), ("A", "B", 152, 69)],
    "C": [("CUE", "POOL", 148, 28), ("CUE", 'TASK"', 148, 3), ("CUE", "STICK", 148, 21)],
    "D-F": [("DAD", "POOL", 145, 10), ("DAD", "2 X 4", 145, 2), ("DAD", "#9", 145, 2)],
    "G-K": [("GAG", "A & W", 150, 26), ("GAG", "100 %", 150, 26), ("GAG", "DAD", 150, 2)],
    "L-O": [("LAB", "CUE", 138, 20)],
    "P-R": [("POOL", "CUE", 140, 30), ("POOL", "O'CLOCK", 140, 5)],
    "S": [("STICK", "DAD", 150, 8)],
    "T-Z": [("TAB", "STICK", 148, 23)],
}


def page(letters, pairs):
    header = HEADER.replace("TFR", "TRF") if letters == "D-F" else HEADER
    rest = ".066, ?, .0020, 0.0000, 2, 5, 0.0, 0, 13, 9999, ?, , N, .62, .25, .019, 0, 11, 2, ?, , N, .50, .25, .062, 1"
    lines = [f"{cue}, {target}, YES, {group}, {people}, {rest}" for cue, target, group, people in pairs]
    closing = "</pre>" if letters == "A-B" else "</PRE>"
    return "\n".join(["<HTML>", "<BODY>", "<PRE>", header, *lines, closing, "</BODY>", "</HTML>", ""]).encode()


@pytest.fixture
def norms(cache, monkeypatch):
    """The eight files in the cache folder; norms("C", change) changes one of them."""
    (cache / "usf").mkdir(parents=True)

    def put(letters, change=lambda text: text):
        file = cache / f"usf/Cue_Target_Pairs.{letters}"
        file.write_bytes(change(page(letters, PAIRS[letters])))
        return file

    for letters in PAIRS:
        put(letters)
    return put


pytestmark = pytest.mark.filterwarnings("ignore:the file .* has the SHA-256 checksum")


def test_the_cue_named_cue_is_not_taken_for_a_header(norms):
    data = fetch_usf_associations(None)
    cue = data.names.tolist().index("CUE")
    assert dict(zip(data.names, data.counts[[cue]].toarray()[0], strict=True))["POOL"] == 28
    assert data.report[data.report["cue"] == "CUE"]["response"].tolist() == ['TASK"']


def test_odd_targets_are_words_and_self_responses_are_reported(norms):
    data = fetch_usf_associations(None)
    report = {(what, cue, response): n for what, cue, response, n in data.report.itertuples(index=False)}
    assert report["self-response", "AGAIN", "AGAIN"] == 3
    assert report["cue was left without responses", "A", ""] == 69
    assert {response for what, _, response in report if what == "response is no cue"} == {
        *("B", 'TASK"', "2 X 4", "#9", "A & W", "100 %", "O'CLOCK")
    }


def test_the_norms_are_read_as_other_associations_are(norms, tmp_path):
    rows = [
        f'{cue},"{target.replace(chr(34), chr(34) * 2)}",{n}' for part in PAIRS.values() for cue, target, _, n in part
    ]
    file = tmp_path / "norms.csv"
    file.write_text("\n".join(["cue,response,count", *rows]))
    data, other = (
        fetch_usf_associations(4),
        associations(file, cue="cue", response="response", count="count", n_words=4),
    )
    assert data.names.tolist() == other.names.tolist() == ["CUE", "STICK", "POOL", "DAD"]
    assert (data.counts != other.counts).nnz == 0
    assert (data.outside != other.outside).nnz == 0
    assert data.outside_names.tolist() == other.outside_names.tolist()
    assert data.report.equals(other.report)


def replaced(old, new, count=1):
    return lambda text: re.sub(old, new, text, count=count)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: b"", "is empty"),
        (lambda text: b"<html>\nWelcome to the hotel\n</html>", "has 1 fields in line 2 where 31 are expected"),
        (lambda text: text[: text.index(b"STICK") + 30], "fields in line 7 where 31 are expected; it is cut off"),
        (lambda text: text[: text.index(b"</PRE>")], "is cut off after line 7: </PRE> is missing"),
        (lambda text: text[: text.index(b"CUE, POOL")], "has no pairs of words in it"),
        (replaced(b"CUE, TARGET", b"CUE, ANSWER"), "has data before its header in line 4"),
        (replaced(b"#G, #P", b"#P, #G"), "has other columns than #G and #P in its header, line 4"),
        (replaced(b"148, 28", b"148, 2x"), r"has in line 5 '2x' as #P, which is no whole number above 0"),
        (replaced(b"148, 28", b"148, "), r"has in line 5 '' as #P"),
        (replaced(b"148, 28", b"148, 0"), r"has in line 5 '0' as #P"),
        (replaced(b"148, 28", b"-1, 28"), r"has in line 5 '-1' as #G"),
        (replaced(b"148, 28", b"148, 149"), r"contradicts itself in line 5: 149 of 148 people answered CUE with POOL"),
        (replaced(b"148, 21", b"147, 21"), r"contradicts itself in line 7: 21 of 147 people .* but 148 were asked"),
        (replaced(b"CUE, STICK", b", STICK"), "lacks a cue in line 7"),
        (replaced(b"CUE, STICK", b"CUE, "), "lacks a target in line 7"),
        (replaced(b"STICK", b"ST\xffCK"), "has in line 7 a byte that is not ASCII, 0xff"),
        (replaced(b"</PRE>", b"</PRE>\nCUE, X" + b", 1" * 29), "has data after its end in line 9"),
        (lambda text: text + b" " * 8_000_000, "holds more than the 8000000 bytes"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(norms, change, message):
    file = norms("C", change)
    with pytest.raises(DamagedFile, match=message) as caught:
        fetch_usf_associations(4)
    assert str(file) in str(caught.value)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.filterwarnings("error:the file .* has the SHA-256 checksum")
def test_the_real_norms_have_the_published_numbers(real_data):
    folder = real_data("usf")
    pairs = [pair for key in usf._FILES for pair in usf._read(key, folder.parent / key)]
    assert len(pairs) == 72_176
    assert len({(cue, target) for cue, target, _ in pairs}) == 72_176
    assert len({cue for cue, *_ in pairs}) == 5018
    assert sum(n for *_, n in pairs) == 612_627
    assert round(612_627 / 5018, 2) == 122.09
    assert sum(cue == "CUE" for cue, *_ in pairs) == 21
    assert {cue for cue, target, _ in pairs if cue == target} == {"AGAIN", "BURST", "RETAIN", "TOASTY"}
    assert {n for cue, target, n in pairs if (cue, target) == ("BARTENDER", "DRINK")} == {101}  # not .682 of 177
    assert min(n for *_, n in pairs) == 2


@pytest.mark.slow
@pytest.mark.data
def test_the_1000_real_words_are_those_of_the_experiments(real_data):
    real_data("usf")
    data = fetch_usf_associations()
    assert data.names[:5].tolist() == ["MONEY", "CAR", "WATER", "FOOD", "BIRD"]
    assert data.P.shape == (1000, 1000)
    assert data.P.nnz == data.counts.nnz == 8710
    assert data.counts.dtype == np.int64
    assert (data.P.diagonal() == 0).all()
    np.testing.assert_allclose(data.P.sum(axis=1), 1)
    assert connected_components(data.P)[0] == 1
    assert data.kept.mean() == pytest.approx(0.715, abs=5e-4)
    assert {"CAN", "FIELD", "FIRE", "WOOD", "JOB", "DEATH", "BANK", "RIVER", "SAD", "CANCER", "BAT"} <= {*data.names}
    assert not {"LOAN", "MILITARY", "MATCH"} & {*data.names}
    bank = data.names.tolist().index("BANK")
    assert data.names[data.counts[[bank]].indices].tolist() == ["MONEY"]
    assert "to LOAN" in data.outside_names


@pytest.mark.slow
@pytest.mark.data
def test_every_real_cue_can_be_mapped(real_data):
    real_data("usf")
    data = fetch_usf_associations(None)
    assert len(data) == 5018
    assert "CUE" in data.names
    itself = data.report["cue"][data.report["what"] == "self-response"]
    never = data.names[data.counts.sum(axis=0) == 0]
    # 148 are never a target, and one is a target of itself alone.
    assert len(never) == 149
    assert set(never) & set(itself) == {"TOASTY"}
    assert data.counts.sum() + data.report["count"].sum() == 612_627
