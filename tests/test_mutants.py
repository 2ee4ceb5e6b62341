"""The list of faults that tests are to see: each of them can still be made."""

from tools.mutants import misfits, read


def test_each_fault_of_the_list_applies_to_one_place():
    assert misfits(read()) == []


def test_a_fault_that_does_not_apply_is_named(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").touch()
    (tmp_path / "a.py").write_text("x = 1\ny = 1\n")
    one = {"name": "a1", "file": "a.py", "old": "x = 1", "new": "x = 2", "tests": ["tests/test_a.py"]}
    assert misfits([one], tmp_path) == []
    for change, told in (
        ({"old": " = 1"}, "2 times"),
        ({"old": "x = 3"}, "0 times"),
        ({"file": "b.py"}, "b.py 0 times"),
        ({"new": "x = 1"}, "the same"),
        ({"tests": ["tests/test_b.py"]}, "tests/test_b.py"),
        ({"tests": ["-x"]}, "no test"),
    ):
        (said,) = misfits([one | change], tmp_path)
        assert told in said
        assert said.startswith("a1")
    assert "2 times" in misfits([one, one], tmp_path)[0]
