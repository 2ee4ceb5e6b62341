"""The bundled sentences: what they are, and that their embedding means something."""

import numpy as np

from notebook_sne.datasets import load_docstrings


def test_the_docstrings_are_sentences_with_names_packages_and_directions():
    data = load_docstrings()
    assert data.X.shape == (2000, 384) and "Apache-2.0" in data.license
    packages, counts = np.unique(data.labels, return_counts=True)
    assert dict(zip(packages.tolist(), counts.tolist(), strict=True)) == {
        "networkx": 200, "numpy": 250, "pandas": 250, "scikit-learn": 250, "scipy": 350, "standard library": 700,
    }  # fmt: skip
    said = data.columns["sentence"].astype(str)
    assert said.is_unique and said.str.split().str.len().between(5, 25).all()
    assert all(full.endswith(name) for full, name in zip(data.columns["function"], data.names, strict=True))
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), 1, atol=3e-3)


def test_sentences_that_mean_alike_are_near():
    data = load_docstrings()
    (i,) = np.flatnonzero(data.columns["function"] == "numpy.fft.fft")
    near = np.argsort(-(data.X @ data.X[i]))[1:5]
    assert all("fft" in str(name) for name in data.names[near])
