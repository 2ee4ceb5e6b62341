"""The order of the lectures and their parts."""

from pathlib import Path

from notebook_sne.course.order import Listed, parts_of, reading_order

LIST = """# The course

Some words on [a file](1-no-lecture.txt).

## First part

* **2** [Why?](02-why.ipynb) Because of
  this.
* **1** [Who?](01-who.ipynb) They.

## Notes

Nothing of the kind.

## Second part

* **4** [What if?](04-what-if.ipynb) Then.
"""


def test_the_list_gives_the_parts_and_the_order_and_what_it_lacks_comes_last(tmp_path):
    (tmp_path / "README.md").write_text(LIST)
    assert parts_of(tmp_path) == {
        "First part": [
            Listed(2, "Why?", "02-why.ipynb", "Because of this."),
            Listed(1, "Who?", "01-who.ipynb", "They."),
        ],
        "Second part": [Listed(4, "What if?", "04-what-if.ipynb", "Then.")],
    }
    for name in ("01-who", "02-why", "03-new"):
        (tmp_path / f"{name}.ipynb").write_text("")
    assert reading_order(tmp_path) == [Path("02-why.ipynb"), Path("01-who.ipynb"), Path("03-new.ipynb")]


def test_a_folder_without_a_list_is_read_by_its_numbers(tmp_path):
    for name in ("02-b", "01-a", "notes"):
        (tmp_path / f"{name}.ipynb").write_text("")
    assert parts_of(tmp_path) == {} and reading_order(tmp_path) == [Path("01-a.ipynb"), Path("02-b.ipynb")]
