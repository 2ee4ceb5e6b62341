"""Faults that were reported of this field's packages are not here."""

import tomllib
from pathlib import Path

import pytest

from tests.reported import checks
from tests.reported.packages import Maker

REPORTS = tomllib.loads((Path(__file__).parent / "reports.toml").read_text("utf-8"))
UMAPS = ("umap", "PaCMAP", "BERTopic")  # of whose kind the quick lane asks UMAP


def arguments_of(name):
    """Return what a report gives to its check."""
    return {key: value for key, value in REPORTS[name].items() if key not in ("symptom", "check", "model", "slow")}


def cases():
    for name, report in REPORTS.items():
        quick = report.get("model", "UMAP" if any(kind in name for kind in UMAPS) else "TSNE")
        for model in ("TSNE", "UMAP"):
            slow = report.get("slow") or model != quick
            if model == report.get("model", model):
                yield pytest.param(name, model, id=f"{name}-{model}", marks=[pytest.mark.slow] if slow else [])


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("name", "model"), [*cases()])
def test_what_was_reported_elsewhere_does_not_happen_here(name, model):
    getattr(checks, REPORTS[name]["check"])(Maker("notebook_sne", model), **arguments_of(name))
