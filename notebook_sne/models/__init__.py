"""The models of the papers as scikit-learn estimators: hyperparameters + mathematics + an optimizer.

`MODELS` below lists them, and all other lists follow from it: the public names, the models of the player, names in
texts, and functions to compile ahead of time. `base` has the common part of all models, `single` and `several` that of
models with one map and with several. `estimator` makes hyperparameters of a class's fields, and `family` says which
model can take over from which. `notebook_sne.engine.fitting` applies a model to data.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # for tools that only read: at run time `notebook_sne` loads a model with its first use
    from notebook_sne.models.aspects import AspectMaps as AspectMaps
    from notebook_sne.models.aspects import MultipleMapsTSNE as MultipleMapsTSNE
    from notebook_sne.models.contrastive import InfoNCTSNE as InfoNCTSNE
    from notebook_sne.models.contrastive import NegTSNE as NegTSNE
    from notebook_sne.models.elastic import ElasticEmbedding as ElasticEmbedding
    from notebook_sne.models.images import MixtureSNE as MixtureSNE
    from notebook_sne.models.sne import SNE as SNE
    from notebook_sne.models.symmetric import SymmetricSNE as SymmetricSNE
    from notebook_sne.models.tsne import TSNE as TSNE
    from notebook_sne.models.umap import UMAP as UMAP
    from notebook_sne.models.unisne import UNISNE as UNISNE


class Listed(NamedTuple):
    """Facts about a model that are known before its module, and with it the compiler, is loaded."""

    module: str
    """Where it is, in this package."""
    label: str
    """What a text calls it."""
    what: str = ""
    """What it does, for the player's menu; empty for several maps, as no run can go on under such a model."""
    source: str = ""
    """Where its recipe comes from, that of ``paper()``; empty where it has none."""


MODELS = {
    "SNE": Listed("sne", "SNE", "one distribution for each object", "Hinton & Roweis 2002"),
    "SymmetricSNE": Listed("symmetric", "symmetric SNE", "one distribution over pairs", "Cook et al. 2007, Fig. 7"),
    "UNISNE": Listed("unisne", "UNI-SNE", "symmetric, with a uniform background", "Cook et al. 2007, Fig. 8"),
    "TSNE": Listed("tsne", "t-SNE", "symmetric, with heavy tails in the map", "van der Maaten & Hinton 2008"),
    "NegTSNE": Listed("contrastive", "Neg-t-SNE", "neighbors, or drawn at random? From t-SNE to UMAP"),
    "InfoNCTSNE": Listed("contrastive", "InfoNC-t-SNE", "which of many pairs are neighbors?"),
    "UMAP": Listed("umap", "UMAP", "the loss of umap-learn on average, without its sampling"),
    "ElasticEmbedding": Listed("elastic", "elastic embedding", "springs of P, and a push of a given strength"),
    "AspectMaps": Listed("aspects", "aspect maps", source="Cook et al. 2007, section 5"),
    "MultipleMapsTSNE": Listed("aspects", "multiple-maps t-SNE", source="van der Maaten & Hinton 2008, demonstration"),
    "MixtureSNE": Listed("images", "mixture of images", source="Hinton & Roweis 2002, section 4"),
}
"""The models by the names of their classes, in reading order."""


BASELINES = {
    "MetricMDS": Listed("metric_mds", "metric MDS", "keeps all distances"),
    "Sammon": Listed("sammon", "Sammon mapping", "keeps distances, the short ones above all"),
    "SOM": Listed("som", "self-organizing map", "a grid of units, drawn through the data"),
    "GTM": Listed("gtm", "GTM", "a curved sheet in the data, of the greatest likelihood"),
    "NCA": Listed("nca", "NCA"),  # nothing to choose in the player, which knows no classes but to color by
}
"""The methods of `notebook_sne.baselines`, one room above, that have states: runs go on under them as under models."""


NETWORKS = {
    "ParametricMap": Listed("parametric", "parametric map"),
    "NNCA": Listed("nnca", "non-linear NCA"),
    "Autoencoder": Listed("autoencoder", "autoencoder"),
}
"""The maps of `notebook_sne.networks`, beside the baselines: a run goes on under a model after them, not before."""


WITHOUT_UNIT = (
    "ElasticEmbedding", *BASELINES, "PCA", "LDA", "ClassicalMDS", "Isomap", "LLE", "LaplacianEigenmaps", "MVU", "NNCA",
    "Autoencoder",
)  # fmt: skip
"""Those whose cost is no divergence, and so is not in nats; by the names of their classes, found-at-once ones too."""


def unit_of(name: str) -> str:
    """Return the unit of a method's cost after a blank, " nats" or nothing, from the name of its class."""
    return "" if name in WITHOUT_UNIT else " nats"


def label_of(name: str) -> str:
    """Return a method's name in texts, from the name of its class, which it is if the method isn't listed."""
    listed = MODELS.get(name) or BASELINES.get(name) or NETWORKS.get(name)
    return listed.label if listed else name
