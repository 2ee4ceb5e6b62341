"""The text in bytes whose encoding is given: read in that encoding, or refused with the one that they have."""

import codecs

from notebook_sne.engine.checks.numbers import show

__all__ = ["DAMAGED", "read_text"]

DAMAGED = "the file is cut off or damaged there"
"""The advice where a file ends in the middle of something."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8"),
)


def read_text(content, encoding, called):
    """Return the text in the bytes of a file, or raise an error that names the byte that is no text.

    ``called`` is what to call the file, such as "the file norms.csv".
    """
    if not isinstance(encoding, str):
        raise TypeError(f"encoding must be text, such as 'utf-8', got {show(encoding)}")
    try:
        name = codecs.lookup(encoding).name.removesuffix("-sig")
    except (LookupError, ValueError) as error:
        raise ValueError(f"encoding must be one that Python knows, such as utf-8, got {show(encoding)}") from error
    marked = next((known for mark, known in _MARKS if content.startswith(mark)), None)
    if marked is not None and not name.startswith(marked):
        raise ValueError(f'{called} is not {name} but {marked.upper()}; give encoding="{marked}"')
    is_wide, wide = name.startswith(("utf-16", "utf-32")), _wide(content)
    if wide and not is_wide:
        raise ValueError(f'{called} is not {name}, as its zero bytes show; give encoding="{wide}"')
    if is_wide and b"\0" not in content and content:  # each delimiter and each end of a line would have one
        raise ValueError(f"{called} is not {name}, as it has no zero bytes; leave encoding out for UTF-8")
    try:
        return content.decode("utf-8-sig" if name == "utf-8" else encoding)
    except LookupError as error:
        raise ValueError(f"encoding must be of text, such as utf-8, got {show(encoding)}") from error
    except UnicodeError as error:
        # The bytes as the decoder counts them: it leaves out a byte order mark.
        seen, start = (error.object, error.start) if isinstance(error, UnicodeDecodeError) else (content, 0)
        line = seen[:start].count(b"\n") + 1
        raise ValueError(
            f"{called}, line {line}: byte 0x{seen[start : start + 1].hex()} is invalid in {name}; "
            + _advice(content, marked)
        ) from error


def _wide(content):
    """Return the encoding without a mark that has two or four bytes for a Latin letter; None if there is none."""
    mostly = tuple(content[k::4].count(0) > len(content) / 8 for k in range(4))
    return {
        (False, True, False, True): "utf-16-le",
        (True, False, True, False): "utf-16-be",
        (False, True, True, True): "utf-32-le",
        (True, True, True, False): "utf-32-be",
    }.get(mostly)


def _advice(content, marked):
    """Return advice for bytes that are no text in the given encoding; `marked` is the encoding of the mark."""
    if marked in ("utf-16", "utf-32"):
        return DAMAGED
    try:
        content.decode("utf-8")
    except UnicodeError:
        return (
            'save the file as UTF-8, or name its encoding, as in encoding="cp1252" (Windows, Western Europe) or '
            'encoding="mac_roman"'
        )
    return "the file is UTF-8: leave encoding out"
