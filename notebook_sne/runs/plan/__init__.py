"""A run as data that a page goes on with: `recipes` says of a model what an update asks for, or why a page cannot compute
it; `packing` turns the objects, or P, into bytes; `plan` puts both together with where the run stands.
"""
