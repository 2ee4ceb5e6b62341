"""A run as data that a page goes on with.

`standing` says where a run stands, `recipes` what an update of a model asks for, or why a page cannot compute it;
`packing` turns the objects, or P, into bytes; `plan` puts all of it together.
"""
