"""Names that other packages have for a parameter are answered with ours; scikit-learn sees the same estimators."""

import inspect

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
        ("metric_params", r"give distances, such as squareform\(pdist\(X, 'cosine'\)\) .* with input='distances'"),
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
            ns.MixtureSNE(**{theirs: 4})


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
