"""The contest of readings of senses: homonyms with key words, norms, methods and scores; python -m benchmarks.senses."""
