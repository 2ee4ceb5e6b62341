"""Names that other packages have for a parameter are answered with ours; scikit-learn sees the same estimators."""

import copy
import inspect
import pickle

import pytest
from sklearn.base import clone
from sklearn.manifold import TSNE as PEER

import notebook_sne as ns
from tests.calls import MODELS

each_model = pytest.mark.parametrize("model", MODELS)


@each_model
@pytest.mark.parametrize(
    ("theirs", "answer"),
    [
        ("n_iter", "it is called max_iter here"),
        ("njobs", "it is called n_jobs here"),
        ("num_threads", "it is called n_jobs here"),
        ("verbose", "it is called progress here, False shows no bar"),
        ("seed", "it is called random_state here"),
        ("random_seed", "it is called random_state here"),
        ("initialization", "it is called init here"),
        ("no_dims", "it is called n_components here"),
        ("method", "it is called sums here, 'exact' or 'mesh'"),
        ("metric_params", r"give distances, such as squareform\(pdist\(X, 'cosine'\)\).* with input='distances'"),
        ("n_iter_without_progress", "ends a fit by itself .* max_iter"),
        ("knn", "finds neighbors by itself"),
        ("initial_dims", "PCA"),
        ("perplexty", r"did you mean perplexity\? it has .*perplexity, "),
        ("foo", "; it has .*perplexity, "),
    ],
)
def test_a_name_of_other_packages_is_answered_with_ours(model, theirs, answer):
    message = f"{model.__name__} has no parameter '{theirs}'.*{answer}"
    with pytest.raises(TypeError, match=message):
        model(**{theirs: 1})
    with pytest.raises(TypeError, match=message):
        model.paper(**{theirs: 1}) if hasattr(model, "paper") else model(**{theirs: 1})
    with pytest.raises(ValueError, match=message):
        model().set_params(**{theirs: 1})


def test_degrees_of_freedom_are_named_where_there_are_some():
    with pytest.raises(TypeError, match="it is called degrees_of_freedom here"):
        ns.TSNE(dof=2)
    with pytest.raises(TypeError, match="nor degrees_of_freedom, which stands for it where there is one"):
        ns.SNE(alpha=2)
    with pytest.raises(TypeError, match="a kernel without degrees of freedom; that of TSNE has them"):
        ns.SNE(degrees_of_freedom=2)


def test_exaggeration_is_named_where_there_is_one():
    for theirs in ("early_exaggeration", "early_exaggeration_iter"):
        with pytest.raises(TypeError, match=f"'{theirs}': it is called exaggeration here"):
            ns.TSNE(**{theirs: 4})
        with pytest.raises(TypeError, match="nor exaggeration, which stands for it where there is one, as in TSNE"):
            ns.ElasticEmbedding(**{theirs: 4})


@each_model
def test_no_parameter_of_scikit_learns_t_sne_is_unknown(model):
    for theirs in inspect.signature(PEER).parameters:
        try:
            model(**{theirs: 1})
        except TypeError as error:
            assert "; it has" not in str(error), theirs


@each_model
def test_scikit_learn_reads_the_parameters_as_before(model):
    signature = inspect.signature(model)
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in signature.parameters.values())
    assert sorted(signature.parameters) == sorted(model().get_params())
    assert clone(model(perplexity=7)).set_params(max_iter=3).get_params()["perplexity"] == 7


class ByPosition(ns.TSNE):
    def __init__(self, perplexity=5.0):
        super().__init__(perplexity=perplexity)


class HandedOn(ns.TSNE):
    def __init__(self, **parameters):
        super().__init__(**parameters)


@pytest.mark.parametrize("made", [lambda: ByPosition(7), lambda: HandedOn(perplexity=7)])
def test_a_class_made_of_a_model_may_take_its_parameters_in_other_ways(made):
    assert made().perplexity == 7


@pytest.mark.parametrize("subclass", [ByPosition, HandedOn])
def test_a_class_made_of_a_model_answers_for_wrong_names(subclass):
    with pytest.raises(TypeError, match="'n_epochs'"):
        subclass(n_epochs=3)


def test_an_endless_name_is_printed_in_part():
    with pytest.raises(TypeError) as caught:
        ns.TSNE(**{"q" * 5000: 3})
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("model", "theirs", "answer"),
    [
        (ns.TSNE, "kl_divergence_", "here it is cost_"),
        (ns.TSNE, "kl_divergence", "here it is cost_"),
        (ns.TSNE, "graph_", "here it is affinities_"),
        (ns.TSNE, "learning_rate_", "here it is trace_"),
        (ns.TSNE, "n_iter", "here it is max_iter"),
        (ns.TSNE, "maps_", "here it is embedding_"),
        (ns.TSNE, "embeding_", r"did you mean embedding_\?"),
        (ns.TSNE, "fit_transfrm", r"did you mean fit_transform\?"),
        (ns.TSNE, "embedding_", r"before it is fitted; call fit\(X\) first"),
        (ns.AspectMaps, "embedding_", "here it is maps_"),
        (ns.baselines.MetricMDS, "stress_", "here it is cost_"),
        (ns.baselines.PCA, "components_", "before it is fitted"),
    ],
)
def test_a_result_of_other_packages_is_answered_with_ours(model, theirs, answer):
    with pytest.raises(AttributeError, match=f"^'{model.__name__}' object has no attribute '{theirs}'.* ?{answer}"):
        getattr(model(), theirs)


@each_model
def test_an_attribute_that_nobody_has_is_lacking_as_ever(model):
    made = model()
    assert not hasattr(made, "kl_divergence_") and not hasattr(made, "_private") and not hasattr(made, "qqq")
    with pytest.raises(AttributeError, match=f"^'{model.__name__}' object has no attribute 'qqq'$"):
        made.qqq  # noqa: B018
    assert pickle.loads(pickle.dumps(made)).get_params() == copy.deepcopy(made).get_params()


@pytest.mark.parametrize("theirs", ["tSNE", "t_sne", "Tsne", "tsne"])
def test_a_public_name_in_another_spelling_is_answered_with_ours(theirs):
    with pytest.raises(AttributeError, match=f"no attribute '{theirs}'; did you mean TSNE"):
        getattr(ns, theirs)
    with pytest.raises(AttributeError, match="no attribute 'qqq'; it offers SNE, "):
        ns.qqq  # noqa: B018


def test_only_public_names_are_listed():
    assert dir(ns) == sorted([*ns.__all__, "__version__"])
    assert dir(ns.views) == sorted(ns.views.__all__) and dir(ns.course) == sorted(ns.course.__all__)
