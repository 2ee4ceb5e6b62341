"""The relatives of SNE that its papers name, over seeds: ``python -m benchmarks.relatives.family_trees`` and others."""
