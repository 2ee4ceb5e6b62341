"""Texts of a user's data, as they are sent to the browser."""

import re

__all__ = ["as_sent"]

_HALF = re.compile("[\ud800-\udfff]")


def as_sent(value, _widget=None):
    """Return a text, or each of a list, as a message can carry it: the `to_json` of traits that hold such texts.

    Half of a surrogate pair is no character, and no UTF-8: Jupyter fails on one, or sends bytes that can't be read.
    It is sent as U+FFFD, which is what browsers draw for it; the trait itself keeps what was given.
    """
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    return value if value is None else [as_sent(text) for text in value]
