"""Names of other packages are refused with the one that may be meant; scikit-learn sees the same estimators."""

import copy
import inspect
import pickle

import pytest
from sklearn.base import clone

import notebook_sne as ns
from notebook_sne.engine.fitting import foreign_names
from tests.calls import MODELS

each_model = pytest.mark.parametrize("model", MODELS)


@pytest.mark.parametrize(
    ("model", "theirs", "answer"),
    [
        (ns.TSNE, "n_iter", r"did you mean max_iter\? it has .*perplexity, "),
        (ns.AspectMaps, "seed", r"did you mean random_state\?"),
        (ns.SNE, "perplexty", r"did you mean perplexity\?"),
        (ns.TSNE, "dof", r"did you mean degrees_of_freedom\?"),
        (ns.SNE, "dof", "it has "),
        (ns.MixtureSNE, "foo", "it has .*perplexity, "),
    ],
)
def test_a_name_that_is_no_parameter_is_refused_with_the_one_that_may_be_meant(model, theirs, answer):
    message = f"^{model.__name__} has no parameter '{theirs}'; {answer}"
    with pytest.raises(TypeError, match=message):
        model(**{theirs: 1})
    with pytest.raises(TypeError, match=message):
        model.paper(**{theirs: 1})
    with pytest.raises(ValueError, match=message):
        model().set_params(**{theirs: 1})


@each_model
def test_every_model_answers_for_wrong_names_and_scikit_learn_reads_the_parameters_as_before(model):
    with pytest.raises(TypeError, match=rf"^{model.__name__} has no parameter 'n_epochs'; did you mean max_iter\?"):
        model(n_epochs=1)
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


def test_a_class_made_of_a_model_takes_its_parameters_and_answers_for_wrong_names_an_endless_one_in_part():
    assert ByPosition(7).perplexity == HandedOn(perplexity=7).perplexity == 7
    for subclass in (ByPosition, HandedOn):
        with pytest.raises(TypeError, match="'n_epochs'"):
            subclass(n_epochs=3)
    with pytest.raises(TypeError) as caught:
        ns.TSNE(**{"q" * 5000: 3})
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("model", "theirs", "answer"),
    [
        (ns.TSNE, "kl_divergence_", r"did you mean cost_\?"),
        (ns.TSNE, "maps_", r"did you mean embedding_\?"),
        (ns.TSNE, "fit_transfrm", r"did you mean fit_transform\?"),
        (ns.TSNE, "embedding_", r"before it is fitted; call fit\(X\) first"),
        (ns.AspectMaps, "embedding_", r"did you mean maps_\?"),
        (ns.AspectMaps, "transform", r"did you mean place\?"),
        (ns.TSNE, "place", r"did you mean transform\?"),
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


def test_to_ask_whether_a_model_has_an_attribute_makes_no_hint(monkeypatch):
    monkeypatch.setattr(foreign_names, "near_name", lambda *_: pytest.fail("a hint was made"))
    monkeypatch.setattr(foreign_names.inspect, "cleandoc", lambda *_: pytest.fail("a docstring was read"))
    assert not hasattr(ns.TSNE(), "embedding_") and getattr(ns.TSNE(), "embeding_", None) is None
