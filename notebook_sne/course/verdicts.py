"""What a check says of an answer: whether it is right, its points, and the first thing that is wrong."""

from dataclasses import dataclass
from html import escape

__all__ = ["Verdict"]


@dataclass(frozen=True)
class Verdict:
    """What a check says. Made by `Task.check` and `Exam.check`.

    It is true where all is right, so that ``assert task.check(p=p)`` is a test. A notebook shows it in color.

    Attributes
    ----------
    ok : bool
        Whether all that was given is right.
    points, possible : float
        Points reached, and how many there were for what was given; 0 of 0 where points are counted elsewhere.
    said : str
        The first thing that is wrong, in a sentence; or that all is right.
    """

    ok: bool
    points: float
    possible: float
    said: str

    def required(self) -> "Verdict":
        """Return the verdict, or raise if something is wrong: a grading cell that ends so is a test.

        Returns
        -------
        verdict : Verdict
            Itself.

        Raises
        ------
        AssertionError
            If it isn't `ok`; the message is what `said` says.
        """
        if not self.ok:
            raise AssertionError(repr(self))
        return self

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"{'Right' if self.ok else 'Not yet'}, {self._points()}: {self.said}" if self.possible else self.said

    def _repr_html_(self) -> str:
        sign, color = ("✓", "#17803d") if self.ok else ("✗", "#b42318")  # 4.5 : 1 and more on white
        style = f"border-left:4px solid {color};padding-left:.6em"
        points = f"<b>{sign} {self._points()}.</b> " if self.possible else ""
        return f'<p style="{style}">{points}{escape(self.said)}</p>'

    def _points(self) -> str:
        return f"{self.points:g} of {self.possible:g} point{'s' if self.possible > 1 else ''}"
