"""The relatives of SNE over seeds. Run one with ``python -m benchmarks.relatives.curved_classes``."""
