"""The front end as one text: several small ES modules, and their styles.

A notebook loads a widget's front end from a single text, in which no file can be imported by a relative path; so does
a page that is opened from disk. Ours are real ES modules that import one another, so that Node tests each alone; here
they are put one after the other, each after those it imports and each in a scope of its own, as it has as a file.

A bundler would do the same, at the price of a build step and of a second copy of every module that may be stale. So
the modules keep to what a few patterns can read: ``import { names } from "./file.js"``, data as ``import name from
"./file.json" with { type: "json" }``, and exports in front of what they export. Anything else is an ImportError that
shows the line. Comments on lines of their own and indentation stay behind: a notebook that is saved with its widgets
holds this text, and they are a third of it.
"""

import base64
import json
import posixpath
import re
import zlib

from notebook_sne.engine.machine.package import PACKAGE

__all__ = [
    "COMPARE_MODULES",
    "COMPARE_STYLES",
    "COURSE_MODULES",
    "DESK_MODULES",
    "DESK_STYLES",
    "DECK_MODULES",
    "DRAWING_MODULES",
    "DRAWING_STYLES",
    "EXPLORER_MODULES",
    "EXPLORER_STYLES",
    "HANDOUT_MODULES",
    "LIVE_MODULES",
    "PAGE_MODULES",
    "PAGE_STYLES",
    "PHONE_MODULES",
    "PHONE_STYLES",
    "PLAYER_MODULES",
    "PLAYER_STYLES",
    "PREDICTION_MODULES",
    "PREDICTION_STYLES",
    "READ_MODULES",
    "SCREEN_MODULES",
    "SCREEN_STYLES",
    "TOGETHER_MODULES",
    "TWO_NORMS_MODULES",
    "TWO_NORMS_STYLES",
    "join_modules",
    "join_styles",
    "packed",
    "scope_of",
]

FOLDER = PACKAGE / "browser" / "frontend"

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.{1,2}/(?:(?:\w+|\.\.)/)*\w+\.js)";$', re.MULTILINE)
_DATA = re.compile(r'^import (\w+) from "([./\w]+\.json)" with \{ type: "json" \};$', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:const|class|function\*?|async function\*?) (\w+|\[[^\]]*\]|\{[^}]*\}))", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
_INDENT = re.compile(r"^ +", re.MULTILINE)  # no text of ours goes over lines
_OTHER = re.compile(r"^(import|export)\b.*", re.MULTILINE)


def _read(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def _modules_of(name, path=()):
    """Return a module and all that it needs, in an order in which each comes after those it imports."""
    if name in path:
        raise ImportError(f"these modules import one another in a ring: {' -> '.join([*path, name])}")
    found: dict[str, None] = {}
    for _, other in _IMPORT.findall(_read(name)):
        found.update(dict.fromkeys(_modules_of(_beside(name, other), (*path, name))))
    return (*found, name)


def _beside(name, other):
    """Return the name of a module that the module `name` calls `other`, such as ``../shared/link.js``."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), other))


def scope_of(name):
    """Return the constant that stands for a module in the joined text, such as ``$player_scatter``."""
    return "$" + name.removesuffix(".js").replace("/", "_")


def join_modules(*names: str) -> str:
    """Return modules of the front end as one ES module.

    The names are files, such as ``"player/map/scatter.js"``, each after those it imports. The last one keeps its
    exports; what another one exports by default is at the end ``default`` of its scope, `scope_of`. Raises an
    ImportError if a module imports or exports in a way that can't be joined.
    """
    *before, last = names
    offered: dict[str, list[str]] = {}
    texts = [_scoped(name, offered) for name in before]
    return "\n".join([*texts, _linked(last, offered)])


def join_styles(*names):
    """Return style sheets of the front end as one, in the order given."""
    return "\n".join(map(_read, names))


def packed(content: bytes) -> str:
    """Return bytes as text for shared/packed.js: of a widget without a view, JupyterLab saves no bytes."""
    return base64.b64encode(zlib.compress(content)).decode()


def _linked(name, offered):
    """Return a module that takes what it imports from the scopes before it, which offer the names in `offered`."""

    def take(found):
        wanted = re.findall(r"(\w+)(?: as \w+)?", found[1])
        other = _beside(name, found[2])
        if missing := set(wanted) - set(offered.get(other, ())):
            raise ImportError(f"{name} imports {', '.join(sorted(missing))}, which {other} does not export")
        return f"const {found[1].replace(' as ', ': ')} = {scope_of(other)};"

    def data(found):
        return f"const {found[1]} = {json.dumps(json.loads(_read(_beside(name, found[2]))), separators=(',', ':'))};"

    return _DATA.sub(data, _IMPORT.sub(take, _INDENT.sub("", _COMMENT.sub("", _read(name)))))


def _scoped(name, offered):
    """Return a module as a scope that holds what it exports, and note that in `offered`."""
    text = _linked(name, offered)
    exports = [word for declared in _EXPORT.findall(text) for word in re.findall(r"\w+", declared)]
    offered[name] = exports
    if _DEFAULT.search(text):
        exports = [*exports, "default: $default"]
    text = _DEFAULT.sub("const $default = ", _EXPORT.sub("", text))
    if other := _OTHER.search(text):
        raise ImportError(f"{name} has a line that cannot be joined: {other[0]}")
    return f"const {scope_of(name)} = (() => {{\n{text}\nreturn {{ {', '.join(exports)} }};\n}})();\n"


PLAYER_MODULES = _modules_of("player/player.js")
"""The modules of the player, the replay and the page of a film; what one imports is found by itself."""

PLAYER_STYLES = (
    "shared/theme.css",
    "shared/parts.css",
    "player/player.css",
    "shared/knobs.css",
    "player/panels.css",
    "player/wall.css",
    "player/table.css",
    "player/hand.css",
    "player/compact.css",
)

COMPARE_MODULES = _modules_of("compare/compare.js")
"""The modules of a comparison's transport: its views are players."""

COMPARE_STYLES = (*PLAYER_STYLES, "compare/compare.css")

EXPLORER_MODULES = _modules_of("explorer/explorer.js")
"""The modules of the explorer of word senses."""

EXPLORER_STYLES = ("shared/theme.css", "shared/parts.css", "explorer/explorer.css", "shared/knobs.css")

TWO_NORMS_MODULES = _modules_of("two_norms/two_norms.js")
"""The modules of words in two norms."""

TWO_NORMS_STYLES = ("shared/theme.css", "shared/parts.css", "explorer/explorer.css", "two_norms/two_norms.css")

DRAWING_MODULES = _modules_of("drawing/drawing.js")
"""The modules of a field to draw in, beside a map."""

DRAWING_STYLES = ("shared/theme.css", "drawing/drawing.css")

PREDICTION_MODULES = _modules_of("lesson/prediction.js")
"""The modules of a question to the reader of a lecture."""

PREDICTION_STYLES = ("shared/theme.css", "lesson/prediction.css", "teaching/votes.css")
PHONE_MODULES = _modules_of("teaching/phone.js")
"""The modules of a student's page in a class."""

PHONE_STYLES = ("lesson/prediction.css", "teaching/class.css", "teaching/phone.css")
SCREEN_MODULES = _modules_of("teaching/screen.js")
"""The modules of a class's page for the projector."""

SCREEN_STYLES = ("teaching/class.css", "teaching/votes.css", "teaching/screen.css")
DESK_MODULES = _modules_of("teaching/desk.js")
"""The modules of the lecturer's own view of a class, in a notebook."""

DESK_STYLES = ("shared/theme.css", "teaching/desk.css")

PAGE_MODULES = _modules_of("page/page.js")
"""What a page needs besides: a stand-in for the notebook's model object."""

TOGETHER_MODULES = _modules_of("compare/page.js")
"""The same for a comparison, whose page shows several views."""

PAGE_STYLES = ("page/page.css",)

COURSE_MODULES = _modules_of("course/course.js")
"""What the page of a lecture needs besides: it begins each view as the reader comes near."""

DECK_MODULES = _modules_of("deck/deck.js")
"""What slides of a lecture need besides; reveal.js, which moves them, is a script of its own."""

HANDOUT_MODULES = _modules_of("deck/paper.js")
"""What draws the figures of a handout."""

READ_MODULES = _modules_of("course/read.js")
"""What marks the lectures that were read."""

LIVE_MODULES = _modules_of("live_page/open.js")
"""What a page that computes needs beside those of the player: a run, and what calls the compiled kernels."""
