"""Optimizers as generators: each yields where it stands, for ever, and keeps nothing that is not in what it yields.

A module here, `descent`, `conjugate` or `lbfgs`, offers three functions over a flat vector theta, shape (K,):

``begin(iteration, theta, evaluate, memory)``
    the iterate at theta; `evaluate(theta)` returns an `Evaluation`;
``step(now, evaluate, ...)``
    the next iterate, made of fresh read-only arrays; a pure function;
``forget(memory)``
    what of a memory is still true after the objective has changed.

``generate`` strings the steps together. `schedules` has what changes a knob in time, `search` the line search that the
last two share.
"""
