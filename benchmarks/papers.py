"""Write benchmarks/PAPERS.md, the papers against ours, from the kept results: ``python -m benchmarks.papers``.

The claims stand in `benchmarks.claims`, what they are compared with in benchmarks/results/, which the modules of
`benchmarks.experiments` wrote. Nothing is measured here, so the page is the same wherever it is written.
"""

import re
import sys
from collections import Counter

from benchmarks.claims import cook2007, hinton2002, lectures, maaten
from benchmarks.claims.claim import VERDICTS, Kept
from benchmarks.record import RESULTS

PAGE = RESULTS.parent / "PAPERS.md"
FIGURES = RESULTS.parent / "figures"
SOURCES = (
    (hinton2002.TITLE, hinton2002.CLAIMS),
    (cook2007.TITLE, cook2007.CLAIMS),
    (maaten.TITLE_2008, maaten.CLAIMS_2008),
    (maaten.TITLE_2012, maaten.CLAIMS_2012),
    (lectures.TITLE, lectures.CLAIMS),
)
WAITING = "not yet run"

INTRODUCTION = """# The papers against ours

What the papers and the two lectures show, and what came of it here. Every number of ours is made from the kept results
in [results](results/) by `python -m benchmarks.papers`; [README.md](README.md) has them in full, with machine and
versions. A number with two in brackets is the median of the seeds, with the least and the greatest; where less was
kept, it says so. Seconds are those of one fit, its median, on two cores that others used as well: orders of magnitude.
Costs are in nats. Pictures are of seed 0 (the circle of seed 1), by `python -m benchmarks.figures`.

* **reproduced**: the number is met, or what the figure shows holds in all or most seeds, or a formula is right;
* **partly**: some of it is, or by other settings, or other data had to stand in;
* **not**: it was tried and does not hold here;
* **not attempted**: for the reason given.

A verdict has a condition on the kept results beside it in the code, wherever there is something to count: the page
cannot be written while a verdict contradicts them.
"""


def ready(claim, kept):
    """Return whether all results of a claim are here."""
    return all(name in kept for name in claim.results)


def check(claim, kept):
    """Raise where a verdict is none of the four, or has lost its ground."""
    name = f"{claim.where}, {claim.what}"
    if claim.verdict not in VERDICTS:
        raise ValueError(f"{name}: the verdict must be one of {', '.join(VERDICTS)}, got {claim.verdict!r}")
    if not claim.reason:
        raise ValueError(f"{name}: a verdict needs a reason; give one")
    if claim.holds is not None and not claim.holds(kept):
        raise ValueError(
            f"{name}: the kept results no longer bear the verdict {claim.verdict!r}; look at them and judge anew"
        )
    if claim.figure and not (FIGURES / claim.figure).exists():
        raise FileNotFoundError(f"{name}: there is no figure {claim.figure}; run python -m benchmarks.figures")


def anchor(title):
    """Return the name by which a heading of a page is linked."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def heading(claim):
    """Return the title of the section of a claim."""
    return f"{claim.what} ({claim.where})"


def summary(claims, kept):
    """Return a table of claims."""
    lines = ["| What | The source | Ours | Verdict |", "| --- | --- | --- | --- |"]
    for claim in claims:
        here = ready(claim, kept)
        ours = claim.ours(kept) if here and claim.ours else ""
        verdict = claim.verdict if here else WAITING
        link = f"[{claim.what}](#{anchor(heading(claim))}), {claim.where}"
        cells = [text.replace("|", "\\|") for text in (link, claim.paper, ours, verdict)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def section(claim, kept, shown):
    """Return what there is to say of one claim; `shown` are the figures that stand above, and gets its own."""
    here = ready(claim, kept)
    parts = [f"### {heading(claim)}", f"**{(claim.verdict if here else WAITING).capitalize()}.**"]
    if here:
        parts[-1] += f" {claim.reason(kept) if callable(claim.reason) else claim.reason}"
    facts = [("Data", claim.data), ("Settings", claim.settings)]
    facts.append(("Seconds", claim.seconds(kept) if here and claim.seconds else ""))
    names = ", ".join(f"[{name}.json](results/{name}.json)" for name in claim.results if name in kept)
    facts.append(("Kept in", names))
    if claim.tutorial:
        facts.append(("Taken up in", f"lecture {int(claim.tutorial)}"))
    lines = [f"* {title}: {text}" for title, text in facts if text]
    if lines:
        parts.append("\n".join(lines))
    if claim.figure and here:
        if claim.figure not in shown:
            parts.append(f"![{claim.what}](figures/{claim.figure})")
            parts.append(f"*{claim.shows}*" if claim.shows else "")
        else:
            parts.append(f"The figure stands above, under {shown[claim.figure]}.")
        shown.setdefault(claim.figure, claim.what)
    return "\n\n".join(part for part in parts if part)


def page(kept=None):
    """Return the page as text."""
    kept, shown = kept or Kept(), {}
    claims = [claim for _, group in SOURCES for claim in group]
    for claim in claims:
        if ready(claim, kept):
            check(claim, kept)
    counts = Counter(claim.verdict if ready(claim, kept) else WAITING for claim in claims)
    total = ", ".join(f"{counts[verdict]} {verdict}" for verdict in (*VERDICTS, WAITING) if counts[verdict])
    parts = [INTRODUCTION, f"Of {len(claims)} entries: {total}.\n"]
    for title, group in SOURCES:
        parts.append(f"## {title}\n\n{summary(group, kept)}\n")
        parts += [f"{section(claim, kept, shown)}\n" for claim in group]
    return "\n".join(parts)


def main():
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
