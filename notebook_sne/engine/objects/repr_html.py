"""What a notebook shows of a thing by its bare name, as HTML: texts of anyone as texts, tables with their captions.

There are no scripts and no styles, so that a notebook's own light and dark hold.
"""

import html

__all__ = ["FIRST", "escape", "table_html"]

FIRST = 10
"""Rows that are shown of a long table."""


def escape(text):
    """Return any text as HTML that holds no element, and that any file can hold."""
    return html.escape(str(text).encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd"))


def table_html(caption, heads, rows, n_rows=0, note=""):
    """Return a table as HTML: its caption, the heads of its columns and its rows, whose first entries are their heads.

    Where there are more rows, `n_rows` in all, a line below says so, with a note on where they are. Everything is text,
    or what `str` makes text of; numbers have four digits.
    """
    rows = [[escape(f"{entry:.4g}" if isinstance(entry, float) else entry) for entry in row] for row in rows]
    lines = (
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{e}</td>" for e in others)}</tr>' for first, *others in rows
    )
    above = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    below = f"<p>{escape(f'{len(rows)} of {n_rows:,} rows; {note}')}</p>" if n_rows > len(rows) else ""
    # No formulas: a name with dollars in it is a name.
    return (
        f'<div class="mathjax_ignore"><table><caption style="caption-side: top; text-align: left">{escape(caption)}'
        f"</caption><thead><tr>{above}</tr></thead><tbody>{''.join(lines)}</tbody></table>{below}</div>"
    )
