"""The contest of readings of senses: a gold list, norms, methods and their scores; python -m benchmarks.senses."""
