"""Who still has them? Reported faults of this field's packages: ``python -m benchmarks.reported``, half an hour.

The cases of `tests/reported`, asked of notebook_sne (t-SNE and UMAP), of scikit-learn's and openTSNE's t-SNE and of
umap-learn: a child process each, of a process that has imported the package. *Fine*: what was reported does not happen.
*Refused*: data that others take are refused with an error of Python. *There*: it happens, or the process ends, or it
takes longer than half an hour. *None*: there is nothing of the kind, as a transform or a picture. A report is of the
version of its time, and its check asks for what its text wants, sometimes of another package: a cell is about the
versions below the table. ``pip install umap-learn openTSNE``.
"""

import multiprocessing
import warnings

import numba

from benchmarks.record import keep
from tests.reported import checks
from tests.reported.packages import PACKAGES, Maker, NotThereError
from tests.reported.test_reports import REPORTS, arguments_of

SECONDS, NUMBA = 1800, ("notebook_sne", "umap-learn")
WORST = ("there", "refused", "fine", "none")


def ask(name, package, model, answer):
    """Send what a check finds: a word, and the reason."""
    warnings.simplefilter("ignore")
    try:
        getattr(checks, REPORTS[name]["check"])(Maker(package, model), **arguments_of(name))
        answer.send(("fine", ""))
    except NotThereError as error:
        answer.send(("none", str(error)))
    except AssertionError as error:
        answer.send(("there", str(error)))
    except Exception as error:
        refused = isinstance(error, TypeError | ValueError)
        answer.send(("refused" if refused else "there", f"{type(error).__name__}: {error}"))


def outcome(name, package, model):
    """Return the word for a report and a model, and the reason."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=ask, args=(name, package, model, there))
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(SECONDS) else ("there", "it does not end")
    except EOFError:
        return "there", "the process ended"
    finally:
        child.kill()
        child.join()


def main():
    """Ask all, print and keep."""
    numba.config.THREADING_LAYER = "workqueue"  # whose threads a child may use after a fork
    warnings.simplefilter("ignore")
    rows = []
    for package in PACKAGES:
        for model in PACKAGES[package]:
            Maker(package, model)()  # imported and compiled once, before the children
            if package in NUMBA:
                ends = multiprocessing.Pipe()
                ask("lmcinnes/umap#566", package, model, ends[0])
    for name, report in REPORTS.items():
        project, _, number = name.partition("#")
        row = {"report": f"[{project.partition('/')[2]} {number}](https://github.com/{project}/issues/{number})"}
        row["what it told of"] = report["symptom"]
        for package, models in PACKAGES.items():
            found = [outcome(name, package, m) for m in models if m == report.get("model", m) or len(models) == 1]
            row[package] = min((word for word, _ in found), key=WORST.index)
            print(name, package, *found, flush=True)
        rows.append(row)
    for word in WORST:
        row = {"report": f"all {len(REPORTS)}", "what it told of": f"*{word}*"}
        rows.append(row | {package: sum(kept[package] == word for kept in rows) for package in PACKAGES})
    keep("reported", {"seconds at most": SECONDS}, rows, ("openTSNE", "umap-learn"))


if __name__ == "__main__":
    main()
