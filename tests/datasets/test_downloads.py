import dataclasses
import gzip
import hashlib
import os
import pickle
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from notebook_sne import datasets
from notebook_sne.datasets import FETCHERS, downloads
from notebook_sne.datasets.downloads import DamagedFile, local_files, read_gzip
from tests.tables import in_one_test

CONTENT = gzip.compress(b"so many words", mtime=0)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
KEY = "words/list.gz"


def fetch(**options):
    (file,) = local_files(KEY, progress=False, **options)
    return file


def test_a_file_is_downloaded_once_and_kept(cache, site, publish):
    publish(KEY, site.publish("list.gz", CONTENT), sha256=SHA256)
    assert fetch() == cache / KEY
    assert fetch().read_bytes() == CONTENT
    (site.folder / "list.gz").unlink()
    assert fetch().read_bytes() == CONTENT


def test_progress_is_shown_on_request(cache, site, publish, capsys):
    publish(KEY, site.publish("list.gz", CONTENT), sha256=SHA256)
    local_files(KEY, progress=True)
    assert "100%" in capsys.readouterr().err


def test_addresses_are_tried_in_order(cache, site, publish, nowhere):
    wrong = site.publish("wrong.gz", b"something else")
    right = site.publish("list.gz", CONTENT)
    publish(KEY, nowhere + "list.gz", site.address + "absent.gz", wrong, right, sha256=SHA256)
    assert fetch().read_bytes() == CONTENT
    assert os.listdir((cache / KEY).parent) == ["list.gz"]


def test_a_download_with_the_wrong_checksum_is_not_kept(cache, site, publish):
    publish(KEY, site.publish("list.gz", b"something else"), sha256=SHA256)
    with pytest.raises(ConnectionError, match="does not match the known hash"):
        fetch()
    assert os.listdir((cache / KEY).parent) == []


def test_without_a_checksum_the_reader_judges_a_download_before_it_is_kept(cache, site, publish):
    def check(key, file):
        assert key == KEY
        if file.read_bytes() != CONTENT:
            raise DamagedFile(file, "is a log-in page")

    login = site.publish("login.gz", b"<html>Welcome to the hotel</html>")
    publish(KEY, login)
    with pytest.raises(ConnectionError, match=f"{login}: the file there is a log-in page\n"):
        fetch(check=check)
    assert os.listdir((cache / KEY).parent) == []
    publish(KEY, login, site.publish("list.gz", CONTENT))
    assert fetch(check=check).read_bytes() == CONTENT


def test_another_checksum_than_the_tested_one_is_a_warning(cache, site, monkeypatch):
    remote = downloads.RemoteFile((site.publish("list.gz", CONTENT),), None, "a test file", "0" * 64)
    monkeypatch.setitem(downloads.REMOTE_FILES, KEY, remote)
    with pytest.warns(UserWarning, match=f"{SHA256}; the copy that .* has 0000.* it may be another edition"):
        assert fetch().read_bytes() == CONTENT
    monkeypatch.setitem(downloads.REMOTE_FILES, KEY, dataclasses.replace(remote, tested_sha256=SHA256))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fetch()


def test_without_a_network_the_error_says_what_was_tried_and_where_to_put_the_file(cache, publish, nowhere):
    publish(KEY, nowhere + "first/list.gz", nowhere + "second/list.gz", sha256=SHA256)
    with pytest.raises(ConnectionError) as caught:
        fetch()
    message = str(caught.value)
    assert message.startswith(f"could not download {KEY}")
    assert f"{nowhere}first/list.gz: " in message
    assert f"{nowhere}second/list.gz: " in message
    assert "refused" in message
    assert str(cache / KEY) in message
    assert "NOTEBOOK_SNE_DATA" in message


def test_without_a_network_the_error_names_every_missing_file_once(cache, publish, nowhere):
    keys = ("words/list.gz", "words/more.gz", "words/most.gz")
    for key in keys:
        publish(key, nowhere + key)
    (cache / "words").mkdir(parents=True)
    (cache / keys[1]).write_bytes(CONTENT)
    with pytest.raises(ConnectionError) as caught:
        local_files(*keys)
    assert [str(caught.value).count(str(cache / key)) for key in keys] == [1, 0, 1]


def test_a_damaged_file_is_named_and_left_alone(cache, site, publish):
    publish(KEY, site.publish("list.gz", CONTENT), sha256=SHA256)
    (cache / KEY).parent.mkdir(parents=True)
    (cache / KEY).write_bytes(CONTENT[:-1])
    with pytest.raises(DamagedFile, match=r"has the SHA-256 checksum .* delete it and fetch it again") as caught:
        fetch()
    assert str(cache / KEY) in str(caught.value)
    assert (cache / KEY).read_bytes() == CONTENT[:-1]
    (cache / KEY).unlink()
    assert fetch().read_bytes() == CONTENT


def test_the_named_folder_comes_before_the_cache(cache, publish, nowhere, monkeypatch, tmp_path):
    publish(KEY, nowhere + "list.gz", sha256=SHA256)
    monkeypatch.setenv("NOTEBOOK_SNE_DATA", str(tmp_path / "data"))
    for folder in (cache, tmp_path / "data"):
        (folder / KEY).parent.mkdir(parents=True)
        (folder / KEY).write_bytes(CONTENT)
    assert fetch() == tmp_path / "data" / KEY


def test_a_file_that_is_not_in_the_named_folder_is_downloaded_into_the_cache(
    cache, site, publish, monkeypatch, tmp_path
):
    publish(KEY, site.publish("list.gz", CONTENT), sha256=SHA256)
    monkeypatch.setenv("NOTEBOOK_SNE_DATA", str(tmp_path))
    assert fetch() == cache / KEY


def test_a_named_folder_that_does_not_exist_is_an_error(cache, monkeypatch, tmp_path):
    monkeypatch.setenv("NOTEBOOK_SNE_DATA", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match=r"NOTEBOOK_SNE_DATA must name a folder, got .*absent.*; correct it"):
        fetch()


def test_a_folder_that_cannot_be_written_is_not_taken_for_a_missing_network(cache, site, publish):
    publish(KEY, site.publish("list.gz", CONTENT), sha256=SHA256)
    cache.write_text("a file where the cache folder should be")
    with pytest.raises(OSError) as caught:
        fetch()
    assert not isinstance(caught.value, ConnectionError)


def test_a_file_unpacked_on_its_way_is_read_as_it_is(cache, site, publish):
    publish(KEY, site.publish("unpacked-on-the-way.gz", CONTENT))
    assert fetch().read_bytes() == b"so many words"
    assert read_gzip(fetch(), at_most=13) == b"so many words"


@pytest.mark.parametrize("content", [CONTENT, b"so many words"])
def test_read_gzip_unpacks_and_stops_at_the_bound(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    assert read_gzip(tmp_path / "file", at_most=13) == b"so many words"
    with pytest.raises(DamagedFile, match="holds more than the 12 bytes"):
        read_gzip(tmp_path / "file", at_most=12)


def altered(position):
    return CONTENT[:position] + bytes([CONTENT[position] ^ 0xFF]) + CONTENT[position + 1 :]


CUT_OFF = [CONTENT[:length] for length in (3, 15, len(CONTENT) - 1)]


@pytest.mark.parametrize("content", [*CUT_OFF, *map(altered, (2, 12, len(CONTENT) - 6))])
def test_a_cut_off_or_altered_gzip_file_is_damaged(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(DamagedFile, match="is cut off or altered"):
        read_gzip(tmp_path / "file", at_most=100)


def test_a_damaged_file_error_survives_pickling():
    error = pickle.loads(pickle.dumps(DamagedFile("list.gz", "is empty")))
    assert str(error) == "the file list.gz is empty; delete it and fetch it again"


@pytest.mark.parametrize("algorithm", ["md5", "sha256"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_copy_that_is_known_is_as_good(cache, monkeypatch, algorithm, strict, recwarn):
    known = f"{algorithm}:{hashlib.new(algorithm, CONTENT).hexdigest()}"
    remote = downloads.RemoteFile((), *(("0" * 64, "") if strict else (None, "", "0" * 64)), copies=(known,))
    monkeypatch.setitem(downloads.REMOTE_FILES, KEY, remote)
    (cache / KEY).parent.mkdir(parents=True)
    (cache / KEY).write_bytes(CONTENT)
    assert fetch() == cache / KEY and not recwarn
    (cache / KEY).write_bytes(CONTENT[:-1])
    with pytest.raises(DamagedFile) if strict else pytest.warns(UserWarning, match="another edition"):
        fetch()


@pytest.mark.parametrize(
    ("fetch", "key", "told"),
    [
        (datasets.fetch_usf_associations, "usf/Cue_Target_Pairs.A-B", "has 1 fields in line 1 where 31 are expected"),
        (datasets.fetch_usps, "usps/zip.train.gz", "is not a table of 257 numbers a line"),
        (datasets.fetch_coil20, "coil20/coil-20-proc.zip", "cannot be unpacked"),
    ],
)
def test_a_log_in_page_is_not_kept(cache, site, publish, fetch, key, told):
    publish(key, site.publish(Path(key).name, b"<html>Welcome to the hotel</html>"))
    with pytest.raises(ConnectionError, match=f"the file there {told}"):
        fetch(progress=False)
    assert not (cache / key).exists()


@in_one_test(
    ("key", "kind", "begins"),
    [
        ("olivetti/olivettifaces.mat", "sha256", "b612fb967f"),
        ("coil20/coil-20-proc.zip", "tested_sha256", "79fe682ee0"),
        ("nips/nips-corpus-20111211.zip", "tested_sha256", "0ab35663"),
        ("usf/Cue_Target_Pairs.S", "tested_sha256", "0c08"),
    ],
)
def test_a_file_that_may_be_republished_has_the_checksum_of_the_tested_copy(key, kind, begins):
    assert getattr(downloads.REMOTE_FILES[key], kind).startswith(begins)


def test_the_table_is_well_formed():
    for key, remote in downloads.REMOTE_FILES.items():
        folder, name = key.split("/")
        assert folder in FETCHERS
        assert remote.addresses
        for address in remote.addresses:
            # Figshare knows a file by its number.
            assert Path(urlsplit(address).path).suffix == ("" if "figshare" in address else Path(name).suffix)
            # What is not protected by a checksum must at least come from where it says, or be warned of.
            assert address.startswith("https://") or remote.sha256 or remote.tested_sha256
        for sha256 in (remote.sha256, remote.tested_sha256):
            assert sha256 is None or len(bytes.fromhex(sha256)) == 32
        for algorithm, _, digest in (copy.partition(":") for copy in remote.copies):
            assert len(bytes.fromhex(digest)) == hashlib.new(algorithm).digest_size
