"""What the papers and lectures show, and what came of it here: one module a source, read by `benchmarks.papers`."""
