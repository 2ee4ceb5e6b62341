"""Stochastic neighbor embeddings to watch, pause and take hold of in a notebook.

One road, always in the same direction::

    data -> affinities P -> cost and gradient -> optimizer -> run -> player, pictures

`notebook_sne.datasets` and `notebook_sne.affinities` make P: how probable it is that one object would choose another as
its neighbor. A model has a Q of the same kind, made of distances in a map. It goes down the gradient of the divergence
C = KL(P || Q), and moves the map points until Q is like P:

================== ======================================================= =======================
`SNE`              a distribution for each object                          [Hinton2002]
`SymmetricSNE`     one distribution over all pairs                         [Cook2007, section 2.1]
`UNISNE`           with a background, which uncrowds the middle            [Cook2007, section 6]
`TSNE`             with heavy tails                                        [Maaten2008]
`UMAP`             the loss of umap-learn on average, without sampling     [Damrich2021]
`NegTSNE`          separates neighbors from random pairs, like UMAP        [Damrich2023]
`InfoNCTSNE`       neighbors picked out of random pairs                    [Damrich2023]
`ElasticEmbedding` with a push of a given strength                         [CarreiraPerpinan2010]
`AspectMaps`       several maps, and a word may have a place in each       [Cook2007, section 3]
`MultipleMapsTSNE` several maps with heavy tails                           [Maaten2012]
`MixtureSNE`       several places in one map                               [Hinton2002, section 4]
================== ======================================================= =======================

Each is a scikit-learn estimator, whose `iterate` is the same run as a plain ``for`` loop over `State` objects. `Run`
drives one in a thread, in which `Knobs` can be turned, and keeps its `Recording`; `watch` shows it live, `compare`
several side by side, `replay` a recording; `explore` reads word senses off a mixture of maps. `aligned` maps several
years or versions together, with a film from each to the next. `sweep` makes a
table of fits at many settings, from many seeds.

`notebook_sne.baselines` has the maps that the papers compare with, `notebook_sne.failures` shows how they fail.
`notebook_sne.relations` learns maps from facts of the form (object, relation, object); SNE is a special case.
`notebook_sne.quality` judges maps; `refits` makes one again, and `certainty` counts what returns.
`notebook_sne.senses` tests what maps say about words, and `notebook_sne.views` draws them.
`notebook_sne.course` has tasks with checks, and a reading exam.
`notebook_sne.engine.mathematics` has the equations, and spells out the keys of the papers.
Every name is loaded when it is first used, so that ``import notebook_sne`` is quick.

Examples
--------
>>> import notebook_sne as ns
>>> digits = ns.datasets.load_digits()
>>> ns.watch(ns.SNE(perplexity=30), digits)                         # doctest: +SKIP
>>> Y = ns.UNISNE(perplexity=30).fit_transform(digits.X)            # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from notebook_sne.engine.machine.lazy import lazily
from notebook_sne.models import MODELS

if TYPE_CHECKING:
    from notebook_sne import affinities as affinities
    from notebook_sne import baselines as baselines
    from notebook_sne import course as course
    from notebook_sne import datasets as datasets
    from notebook_sne import failures as failures
    from notebook_sne import networks as networks
    from notebook_sne import quality as quality
    from notebook_sne import relations as relations
    from notebook_sne import senses as senses
    from notebook_sne import views as views
    from notebook_sne.browser.widgets.classroom import Classroom as Classroom
    from notebook_sne.browser.widgets.classroom import classroom as classroom
    from notebook_sne.browser.widgets.compare import Comparison as Comparison
    from notebook_sne.browser.widgets.compare import compare as compare
    from notebook_sne.browser.widgets.drawing import Drawing as Drawing
    from notebook_sne.browser.widgets.drawing import draw as draw
    from notebook_sne.browser.widgets.explore import explore as explore
    from notebook_sne.browser.widgets.explorer import Explorer as Explorer
    from notebook_sne.browser.widgets.player import Player as Player
    from notebook_sne.browser.widgets.player import watch as watch
    from notebook_sne.browser.widgets.prediction import Prediction as Prediction
    from notebook_sne.browser.widgets.prediction import predict as predict
    from notebook_sne.browser.widgets.prediction import predictions as predictions
    from notebook_sne.browser.widgets.replay import Replay as Replay
    from notebook_sne.browser.widgets.replay import replay as replay
    from notebook_sne.engine.fitting.knobs import Knobs as Knobs
    from notebook_sne.engine.fitting.state import State as State
    from notebook_sne.engine.optimizers.annealing import Annealed as Annealed
    from notebook_sne.engine.optimizers.iterate import DivergedError as DivergedError
    from notebook_sne.engine.optimizers.schedules import Decay as Decay
    from notebook_sne.engine.optimizers.schedules import Steps as Steps
    from notebook_sne.engine.runs.aligned import aligned as aligned
    from notebook_sne.engine.runs.aligned_maps import AlignedMaps as AlignedMaps
    from notebook_sne.engine.runs.recording import Recording as Recording
    from notebook_sne.engine.runs.run import Run as Run
    from notebook_sne.models import *  # noqa: F403  # all that is listed there
    from notebook_sne.quality.certainty import Certainty as Certainty
    from notebook_sne.quality.certainty import certainty as certainty
    from notebook_sne.quality.fits import refits as refits
    from notebook_sne.quality.sweep import sweep as sweep

__version__ = "0.1.0"

_HOME = {
    **{name: f"models.{model.module}" for name, model in MODELS.items()},
    "State": "engine.fitting.state",
    "Knobs": "engine.fitting.knobs",
    "Steps": "engine.optimizers.schedules",
    "Decay": "engine.optimizers.schedules",
    "Annealed": "engine.optimizers.annealing",
    "DivergedError": "engine.optimizers.iterate",
    "AlignedMaps": "engine.runs.aligned_maps",
    "aligned": "engine.runs.aligned",
    "Run": "engine.runs.run",
    "Recording": "engine.runs.recording",
    "sweep": "quality.sweep",
    "Certainty": "quality.certainty",
    "certainty": "quality.certainty",
    "refits": "quality.fits",
    "Player": "browser.widgets.player",
    "watch": "browser.widgets.player",
    "Replay": "browser.widgets.replay",
    "replay": "browser.widgets.replay",
    "Comparison": "browser.widgets.compare",
    "compare": "browser.widgets.compare",
    "Drawing": "browser.widgets.drawing",
    "draw": "browser.widgets.drawing",
    "Explorer": "browser.widgets.explorer",
    "explore": "browser.widgets.explore",
    "Classroom": "browser.widgets.classroom",
    "classroom": "browser.widgets.classroom",
    "Prediction": "browser.widgets.prediction",
    "predict": "browser.widgets.prediction",
    "predictions": "browser.widgets.prediction",
}
_ROOMS = (
    "affinities", "baselines", "course", "datasets", "failures", "networks", "quality", "relations", "senses", "views",
)  # fmt: skip
__all__ = [*_HOME, *_ROOMS]

_load = lazily(__name__, globals(), {**_HOME, **dict.fromkeys(_ROOMS, "")})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        return _load(name)
    from notebook_sne.browser.widgets.import_progress import announced

    with announced():
        return _load(name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
