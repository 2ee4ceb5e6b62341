"""scikit-learn's base classes, as type checkers are to see them.

scikit-learn has no types. To mypy, a class that is made of its bases may therefore have any parameter, and
``TSNE(perplxty=3)`` is no error. So mypy reads the few methods below instead. Other type checkers read scikit-learn's
own source, where a base that weren't made of scikit-learn's would not fit into its functions.
"""

__all__ = ["BaseEstimator", "ClassNamePrefixFeaturesOutMixin", "TransformerMixin"]

MYPY = False  # a constant of this name is true to mypy, and to nothing else

if MYPY:
    from typing import Any, Literal, Self

    class BaseEstimator:
        """What every estimator of scikit-learn has."""

        @classmethod
        def _get_param_names(cls) -> list[str]: ...
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...

    class TransformerMixin(BaseEstimator):
        """What gives it `fit_transform` and the kind of table that comes back."""

        def fit_transform(self, X: Any, y: Any = None) -> Any: ...
        def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self: ...

    class ClassNamePrefixFeaturesOutMixin(BaseEstimator):
        """What names the columns of such a table."""

        def get_feature_names_out(self, input_features: Any = None) -> Any: ...

else:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin
    from sklearn.base import TransformerMixin as OfScikitLearn

    class TransformerMixin(OfScikitLearn):
        """Its places have the type of the objects, single precision or double."""

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.transformer_tags.preserves_dtype = ["float64", "float32"]
            return tags
