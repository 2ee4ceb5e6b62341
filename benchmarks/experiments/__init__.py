"""The papers' experiments over seeds. Run one with ``python -m benchmarks.experiments.e1_usps``."""
