import gzip
import io
import tarfile
import zipfile

import pytest

from notebook_sne.datasets.packed import read_packed

TEXT = b"cue,response\nbank,money\n"


@pytest.fixture
def write(tmp_path):
    def to_file(content, name="norms.bin"):
        file = tmp_path / name
        file.write_bytes(content)
        return file

    return to_file


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return memory.getvalue()


def tarred():
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("norms.csv"))
    return memory.getvalue()


@pytest.mark.parametrize("name", ["norms.csv", "norms.csv.gz", "norms.zip"])
def test_a_file_is_judged_by_its_first_bytes_whatever_its_name(write, name):
    for content in (TEXT, gzip.compress(TEXT), zipped({"norms.csv": TEXT})):
        assert read_packed(write(content, name))[0] == TEXT


def test_the_one_table_of_a_zip_is_read_and_named(write):
    file = write(
        zipped(
            {"norms/": b"", "norms/a.CSV": TEXT, "norms/README.md": b"x", "__MACOSX/norms/._a.CSV": b"x", ".x.csv": b""}
        )
    )
    assert read_packed(file) == (TEXT, f"the file {file} (norms/a.CSV)")
    assert read_packed(write(zipped({"norms": TEXT})))[0] == TEXT


def test_a_member_is_named_with_or_without_its_folder(write):
    file = write(zipped({"x/a.csv": b"1", "x/b.csv": b"2", "y/b.csv": b"3", "b.csv": b"4"}))
    assert [read_packed(file, name)[0] for name in ("x/a.csv", "a.csv", "y/b.csv", "b.csv")] == [b"1", b"1", b"3", b"4"]


@pytest.mark.parametrize(
    ("members", "member", "message"),
    [
        (
            {"a.csv": b"", "b.tsv": b""},
            None,
            r"member must be given for the file .*; the files in it are 'a.csv', 'b.tsv'$",
        ),
        (
            {"a.md": b"", "b.md": b""},
            None,
            r"member must be given for .*: the files|the files in it are 'a.md', 'b.md'",
        ),
        ({"a.csv": b""}, "b.csv", r"member must name one file of the file .*norms.bin, got 'b.csv'; .* are 'a.csv'"),
        ({"x/a.csv": b"", "y/a.csv": b""}, "a.csv", r"must name one file .* are 'x/a.csv', 'y/a.csv'"),
        ({}, None, "the files in it are none"),
        ({f"{k}.csv": b"" for k in range(12)}, None, r"'9.csv', \.\.\.$"),
        (
            {"[Content_Types].xml": b"", "xl/workbook.xml": b""},
            None,
            "is a workbook, such as one of Excel; save its sheet",
        ),
    ],
)
def test_a_zip_without_one_table_says_what_is_in_it(write, members, member, message):
    with pytest.raises(ValueError, match=message):
        read_packed(write(zipped(members)), member)


def test_no_more_is_unpacked_than_allowed(write):
    many = b"a" * 10_000
    message = r"norms.bin.* unpacks to more than 9999 bytes.*give the path of the table"
    for content in (gzip.compress(many), zipped({"a.csv": many})):
        assert read_packed(write(content), at_most=10_000)[0] == many
        with pytest.raises(ValueError, match=message):
            read_packed(write(content), at_most=9999)
    assert read_packed(write(many), at_most=9)[0] == many


def test_a_zip_that_understates_its_size_is_counted_as_it_is_read(write):
    stored = zipped({"a.csv": b"a" * 10_000}, zipfile.ZIP_STORED)
    lies = stored.replace((10_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lies != stored
    with pytest.raises(ValueError, match=r"cannot be unpacked|unpacks to more than 100 bytes"):
        read_packed(write(lies), at_most=100)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04...", "norms.bin is a zip that cannot be unpacked .* get it again"),
        (b"\x1f\x8b...", "norms.bin cannot be unpacked .* get it again"),
        (gzip.compress(TEXT)[:-9], "cannot be unpacked"),
        (gzip.compress(TEXT)[:-8] + b"12345678", "cannot be unpacked .*CRC"),
        (gzip.compress(gzip.compress(TEXT)), r"holds another packed file \(gz\); unpack it, and give the table"),
        (zipped({"a.csv": gzip.compress(TEXT)}), r"\(a.csv\) must hold text, but holds another packed file \(gz\)"),
        (gzip.compress(tarred()), r"holds another packed file \(tar\)"),
        (tarred(), r"is packed otherwise \(tar\)"),
        (b"BZh91AY&SY...", r"must be text, a .gz or a .zip, but is packed otherwise \(bz2\); unpack it"),
        (b"\xfd7zXZ\0...", r"packed otherwise \(xz\)"),
    ],
    # Packed bytes hold the second of their packing: as a name, two processes would not know the same tests.
    ids=lambda value: "content" if isinstance(value, bytes) else None,
)
def test_what_cannot_be_unpacked_is_refused(write, content, message):
    with pytest.raises(ValueError, match=message):
        read_packed(write(content))


def test_a_zip_that_asks_for_a_password_is_refused(write):
    # Bit 0 of the flags, both in the entry and in the directory.
    plain = bytearray(zipped({"a.csv": TEXT}, zipfile.ZIP_STORED))
    plain[6] |= 1
    plain[plain.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ValueError, match=r"\(a.csv\) cannot be unpacked \(.*password"):
        read_packed(write(bytes(plain)))


def test_a_member_belongs_to_a_zip(write):
    for content in (TEXT, gzip.compress(TEXT)):
        with pytest.raises(ValueError, match=r"member must be None for .* not a zip, got 'a.csv'; leave it out"):
            read_packed(write(content), "a.csv")
    with pytest.raises(TypeError, match="member must be the name of a file in a zip, as text, got 1"):
        read_packed(write(zipped({"a.csv": TEXT})), 1)


def test_a_plain_text_may_begin_like_anything_else(write):
    for text in (b"BZh,b\n", b"Rar!,b\n", b"PK,b\n", b"x" * 257 + b"ustar,b\n"):
        assert read_packed(write(text))[0] == text
