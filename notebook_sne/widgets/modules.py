"""Several small ES modules as one text.

A notebook loads a widget's front end from a single text, in which no file can be imported by a relative path. Ours
are real ES modules that import one another, so that Node tests each alone; here they are put one after the other in
the order given, without their ``import ... from "./..."`` lines and with only the last one exporting.
"""

import re
from pathlib import Path

__all__ = ["join_modules"]

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[\w.]+";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(const|let|function|class|async)\b)", re.MULTILINE)


def join_modules(*names):
    """Return the modules of this folder, joined in the order given: each after those it imports.

    Parameters
    ----------
    *names : str
        File names, such as ``"scatter.js"``. Top-level names must differ between them; a test parses the result.

    Returns
    -------
    text : str
        One ES module.
    """
    here = Path(__file__).parent
    texts = [_IMPORT.sub("", (here / name).read_text(encoding="utf-8")) for name in names]
    texts[:-1] = [_EXPORT.sub("", text) for text in texts[:-1]]
    return "\n".join(texts)
