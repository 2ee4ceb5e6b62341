"""The front end as one text: every module once, and after those it imports."""

import re
import shutil
import subprocess

import pytest

from notebook_sne.browser.frontend import bundle
from notebook_sne.browser.frontend.bundle import EXPLORER_MODULES, PLAYER_MODULES, join_modules
from tests.standins.waiting import LONG


@pytest.mark.parametrize(
    ("modules", "last"), [(PLAYER_MODULES, "player/player.js"), (EXPLORER_MODULES, "explorer/explorer.js")]
)
def test_each_module_comes_once_and_after_those_it_imports(modules, last):
    assert len(set(modules)) == len(modules) and modules[-1] == last
    for k, name in enumerate(modules):
        text = (bundle.FOLDER / name).read_text(encoding="utf-8")
        needed = {bundle._beside(name, other) for other in re.findall(r'from "([^"]+\.js)";$', text, re.MULTILINE)}
        assert needed <= set(modules[:k]), name


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A front end of three modules that use the same names for themselves."""
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    write(tmp_path, "a.js", 'import { double as twice, Both } from "./b.js";', 'import { c } from "./c.js";',
          "const own = 1;", "export default { sum: own + twice(c) + Both.own };")  # fmt: skip
    write(tmp_path, "b.js", "import {", "  c,", '} from "./c.js";', "const own = 10;",
          "export class Both { static own = own; }", "export const double = (x) => 2 * x + own - own + 0 * c;",
          "export default 7;")  # fmt: skip
    write(tmp_path, "c.js", "const own = 100;", "export const [c, d] = [own, 1];", "export function unused() {}",
          "export async function later() {}")  # fmt: skip
    return tmp_path


def write(folder, name, *lines):
    (folder / name).write_text("\n".join([*lines, ""]))


def test_modules_are_joined_in_scopes_of_their_own(folder):
    assert bundle._modules_of("a.js") == ("c.js", "b.js", "a.js")
    text = join_modules("c.js", "b.js", "a.js")
    assert text.count("export default") == 1 and "import" not in text
    assert "return { Both, double, default: $default };" in text and "return { c, d, unused, later };" in text
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node found; install it to run the joined module")
    script = text.replace("export default", "const all =") + "\nconsole.log(all.sum, $b.default, typeof $c.later);\n"
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, timeout=LONG, check=True
    )
    assert done.stdout.split() == ["211", "7", "function"]


def test_modules_that_import_one_another_are_refused(folder):
    write(folder, "c.js", 'import { own } from "./a.js";', "export const c = 3;")
    with pytest.raises(ImportError, match=r"in a ring: a\.js -> b\.js -> c\.js -> a\.js"):
        bundle._modules_of("a.js")


@pytest.mark.parametrize(
    "line", ['import "./b.js";', 'import * as b from "./b.js";', "export { c };", "export let d = 1;"]
)
def test_what_cannot_be_joined_is_refused(folder, line):
    write(folder, "c.js", line, "export const c = 3;")
    with pytest.raises(ImportError, match=r"c\.js has a line that cannot be joined: " + re.escape(line)):
        join_modules("c.js", "b.js", "a.js")


def test_comments_on_lines_of_their_own_stay_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    kept = [
        "export const a = (x) => x; // beside",
        'export const b = "/** text */ // text";',
        "export default 2 /* in */;",
    ]
    head, block = ["// Head.", "/** One. @param {number} x */"], ["  /**", "   * Two * lines.", "   */"]
    write(tmp_path, "a.js", *head, kept[0], *block, *kept[1:])
    assert join_modules("a.js").split("\n")[:3] == kept


@pytest.mark.parametrize("modules", [PLAYER_MODULES, EXPLORER_MODULES])
def test_no_text_of_ours_looks_like_a_comment(modules):
    """Inside a template of several lines a line of text could: none of ours has such a line."""
    for name in modules:
        text = (bundle.FOLDER / name).read_text(encoding="utf-8")
        for template in re.findall(r"`[^`]*\n[^`]*`", re.sub(r"(?m)^\s*(//|/?\*).*$", "", text)):
            assert not bundle._COMMENT.search(template), (name, template)
