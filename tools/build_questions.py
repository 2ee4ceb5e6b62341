"""Make notebook_sne/course/questions.json, which a class is asked from, out of the pages of the lectures.

    notebook-sne course --html FOLDER
    python tools/build_questions.py FOLDER

Lectures without a page in the folder keep what is known of them.
"""

import json
import sys
from pathlib import Path

from notebook_sne.course.questions import KEPT, questions_in

LECTURES = Path(__file__).parents[1] / "tutorials"


def main(folder: str) -> None:
    """Write what the pages in a folder say."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    for lecture in sorted(LECTURES.glob("[0-9][0-9]-*.ipynb")):
        page = Path(folder) / f"{lecture.stem}.html"
        if page.exists():
            kept[lecture.name] = questions_in(page.read_text(encoding="utf-8"))
            print(f"{lecture.name}: {len(kept[lecture.name])} questions")
    ordered = dict(sorted(kept.items()))
    Path(str(KEPT)).write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
