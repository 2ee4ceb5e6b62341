"""The modules of the front end: each alone in Node, and all together as the one text that a notebook loads."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from notebook_sne.browser.frontend.bundle import (
    COMPARE_MODULES,
    COMPARE_STYLES,
    EXPLORER_MODULES,
    EXPLORER_STYLES,
    PLAYER_MODULES,
    PLAYER_STYLES,
    PREDICTION_MODULES,
    PREDICTION_STYLES,
    join_modules,
    join_styles,
)
from notebook_sne.browser.widgets.shared import View
from tests.standins.waiting import LONG

node = shutil.which("node")
kinds = {
    "compare": (COMPARE_MODULES, COMPARE_STYLES),
    "player": (PLAYER_MODULES, PLAYER_STYLES),
    "explorer": (EXPLORER_MODULES, EXPLORER_STYLES),
    "prediction": (PREDICTION_MODULES, PREDICTION_STYLES),
}
each_kind = pytest.mark.parametrize(("modules", "styles"), kinds.values(), ids=kinds)
needs_node = pytest.mark.skipif(node is None, reason="no Node found; install it to test the front end's modules alone")


@needs_node
def test_modules_alone():
    here = Path(__file__).parent
    files = sorted(path.name for path in here.glob("*.test.mjs"))
    assert files
    done = subprocess.run(
        [node, "--test", "--no-warnings", *files], cwd=here, capture_output=True, text=True, timeout=LONG
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@needs_node
@each_kind
def test_the_joined_module_parses(tmp_path, modules, styles):
    joined = tmp_path / "joined.mjs"
    for text in (join_modules(*modules), View._esm):
        joined.write_text(text, encoding="utf-8")
        done = subprocess.run([node, "--check", joined], capture_output=True, text=True, timeout=LONG)
        assert done.returncode == 0, done.stderr


@each_kind
def test_the_joined_module_needs_nothing_and_sets_no_markup(modules, styles):
    text, style = join_modules(*modules), join_styles(*styles)
    assert not re.search(r"^import |^export (?!default)", text, re.MULTILINE) and text.count("export default") == 1
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch("):
        assert word not in text
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "url(" not in style and "@import" not in style
