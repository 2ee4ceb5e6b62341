"""The papers' other maps and tricks, over seeds. Run one with ``python -m benchmarks.laboratory.two_maps``."""
