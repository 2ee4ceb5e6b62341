import zipfile

import numpy as np
import pytest

from notebook_sne.affinities import from_counts
from notebook_sne.datasets import DamagedFile, fetch_nips_authors, nips
from tests.archives.damage import zipped

KEY = "nips/nips-corpus-20111211.zip"
TEXTS = {
    # Four papers and five words; the authors 0, 1 and 3 have more than one paper, 2 has one.
    "nips.corpus": "2 0:4 2:1\n1 1:6\n2 0:2 4:9\n1 3:3\n\n",
    "nips.authors": "0 1\n0 1 2\n3\n3 \n",
    "nips.authors.key": "Hinton_G \nRoweis_S \nOnce_O \nAlone_A \n",
}


def archive(texts, folder="corpus-example/"):
    members = {"readme.txt": "what is in it", **texts}
    return zipped({folder + name: text for name, text in members.items()}, zipfile.ZIP_DEFLATED)


@pytest.fixture
def put(cache, monkeypatch):
    for name, value in (("_N_PAPERS", 4), ("_N_WORDS", 5), ("_N_TOKENS", 25), ("_N_AUTHORS", 3)):
        monkeypatch.setattr(nips, name, value)
    (cache / "nips").mkdir(parents=True)
    return (cache / KEY).write_bytes


pytestmark = pytest.mark.filterwarnings("ignore:the file .* has the SHA-256 checksum")


@pytest.mark.parametrize("folder", ["corpus-example/", "", "knowceans-ilda/nips/"])
def test_words_of_a_shared_paper_count_in_fractions(put, folder):
    put(archive(TEXTS, folder))
    data = fetch_nips_authors()
    assert data.names.tolist() == ["Hinton_G", "Roweis_S", "Alone_A"]
    # The second paper has three authors, though one of them is not kept.
    counts = [[2, 2, 0.5, 0, 0], [2, 2, 0.5, 0, 0], [2, 0, 0, 3, 9]]
    np.testing.assert_allclose(data.X, np.log1p(counts))
    assert data.counts.toarray().tolist() == [[0, 2, 0], [2, 0, 0], [0, 0, 0]]
    assert data.counts.nnz == 2
    assert data.P is None


def changed(name, old, new):
    return archive({**TEXTS, name: TEXTS[name].replace(old, new, 1)})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be unpacked"),
        (b"<html>Welcome to the hotel</html>", "cannot be unpacked"),
        (archive(TEXTS)[:-40], "cannot be unpacked"),
        (archive(TEXTS).replace(b"PK\x03\x04", b"PK\x03\x05"), "cannot be unpacked"),
        (archive({}), "must hold one nips.corpus, got 0"),
        (archive({**TEXTS, "more/nips.authors": ""}), "must hold one nips.authors, got 2"),
        (archive({**TEXTS, "nips.authors": "0" * 100_001}), "holds more than 100000 bytes of nips.authors"),
        (archive({**TEXTS, "nips.authors.key": "É"}), "has in nips.authors.key a byte that is not ASCII"),
        (changed("nips.corpus", "1 3:3\n", ""), "has 3 papers in nips.corpus where 4 are expected"),
        (changed("nips.corpus", "1 1:6", "2 1:6"), r"cannot be read in line 2 of nips.corpus \(2 words are announced"),
        (changed("nips.corpus", "1:6", "1:x"), r"cannot be read in line 2 of nips.corpus \(invalid literal"),
        (changed("nips.corpus", "1:6", "1"), "cannot be read in line 2 of nips.corpus"),
        (changed("nips.corpus", "1:6", "5:6"), "cannot be read in line 2 of nips.corpus .* may not be from 0 to 4"),
        (changed("nips.corpus", "1:6", "-1:6"), "cannot be read in line 2 of nips.corpus"),
        (changed("nips.corpus", "1:6", "1:0"), "cannot be read in line 2 of nips.corpus"),
        (changed("nips.corpus", "1 1:6", ""), "cannot be read in line 2 of nips.corpus"),
        (changed("nips.authors", "3\n", "4\n"), "cannot be read in line 3 of nips.authors .* may not be from 0 to 3"),
        (changed("nips.authors", "3\n", "\n"), "cannot be read in line 3 of nips.authors"),
        (changed("nips.authors", "0 1 2", "0 2"), "has 25 words and 2 authors .* where 25 and 3 are expected"),
        (changed("nips.corpus", "1:6", "1:7"), "has 26 words and 3 authors .* where 25 and 3 are expected"),
    ],
)
def test_a_file_that_does_not_hold_the_papers_is_damaged(put, cache, content, message):
    put(content)
    with pytest.raises(DamagedFile, match=message) as caught:
        fetch_nips_authors()
    assert str(cache / KEY) in str(caught.value)


def test_nothing_is_written_beside_the_archive(put, cache):
    put(archive(TEXTS, "../../outside/"))
    fetch_nips_authors()
    assert [path.name for path in cache.rglob("*") if path.is_file()] == [KEY.rpartition("/")[2]]
    assert not list(cache.parent.rglob("outside"))


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.filterwarnings("error:the file .* has the SHA-256 checksum")
def test_the_real_authors_are_those_of_the_paper_and_the_connected_make_a_p(real_data):
    real_data("nips")
    data = fetch_nips_authors()
    assert data.X.shape == (676, 13_649)
    assert len(set(data.names)) == 676
    assert {"Hinton_G", "Sejnowski_T", "Koch_C", "Jordan_M"} <= {*data.names}
    assert (data.counts != data.counts.T).nnz == 0
    assert (data.counts.diagonal() == 0).all()
    # Their fractions of the words cannot be more than there are.
    assert np.expm1(data.X).sum() < 2_301_375
    assert (data.X.max(axis=1) > 0).all()
    connected = data.select(data.counts.sum(axis=1) > 0)
    assert len(data) - len(connected) == 52
    np.testing.assert_allclose(from_counts(connected.counts).sum(axis=1), 1)
