"""Rules that each of many files keeps: one test a file, which tells all that it breaks."""

import traceback


def rules():
    """Return a decorator for rules of some paths, ``@rule(paths)``, and what holds a path to all of its rules."""
    kept = []

    def rule(paths):
        def add(holds):
            kept.append((holds, frozenset(paths)))
            return holds

        return add

    def hold_all(path):
        broken = []
        for holds, paths in kept:
            if path in paths:
                try:
                    holds(path)
                except Exception as fault:
                    line = traceback.extract_tb(fault.__traceback__)[-1].lineno
                    broken.append(f"{holds.__name__}, line {line}: {type(fault).__name__}: {fault}")
        assert any(path in paths for _, paths in kept), f"no rule is about {path}"
        assert not broken, "\n\n".join(broken)

    return rule, hold_all
