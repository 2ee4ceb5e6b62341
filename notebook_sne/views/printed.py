"""Pictures for papers: a width in millimeters, and the same picture as PDF or PNG.

A PDF holds the shapes and the text of the SVG (fpdf2); a PNG is that PDF, as PDFium paints it. Both belong to the extra
`figures` and are imported only where such a file is written.
"""

import copy
import io
import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine import files

__all__ = ["points_of", "save", "sized"]

_POINTS = {"mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "pt": 1.0}
_RIM = ("stroke", "stroke-width", "stroke-linejoin", "paint-order")
_LATIN = "windows-1252"  # their letters: Latin ones, and signs such as dashes and quotes
_FAMILIES = {"times": "times", "courier": "courier"}  # every reader of PDF has these two and Helvetica


def points_of(width: object) -> float:
    """Return a width such as "85mm" in points; a ValueError where it is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?(mm|cm|in|pt)", width) if isinstance(width, str) else None
    if found is None or float(found[1]) <= 0:
        raise ValueError(f"width must be a number with mm, cm, in or pt, such as '85mm', got {show(width)}")
    return float(found[1]) * _POINTS[found[2]]


def sized(picture: str, points: float) -> str:
    """Return an SVG text that is so many points wide, letters and lines with it."""
    found = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', picture)
    width, height = float(found[1]), float(found[2])
    said = f'width="{points:.2f}pt" height="{points * height / width:.2f}pt"'
    return re.sub(r'width="[\d.]+" height="[\d.]+"', said, picture, count=1)


def save(picture: str, path: str | Path, dpi: float = 300.0, font_file: str | Path | None = None) -> Path:
    """Write an SVG text as a file, whole or not at all: as SVG, PDF or PNG, as its name ends; return its path."""
    place = files.check_place(path)
    if place.suffix.lower() not in (".svg", ".pdf", ".png"):
        raise ValueError(f"path must end in .svg, .pdf or .png, got {str(path)!r}")
    dpi = check_number("dpi", dpi, 0, closed=False)
    if place.suffix.lower() == ".svg":
        return files.write(path, picture.encode("utf-8"))
    written = _as_pdf(picture, font_file)
    return files.write(path, written if place.suffix.lower() == ".pdf" else _as_png(written, dpi))


def _as_pdf(picture, font_file):
    fpdf = _needed("fpdf", "fpdf2")
    root = ElementTree.fromstring(picture)
    _prepare(root)
    pdf = fpdf.FPDF(unit="pt", format=tuple(_length(root.get(name)) for name in ("width", "height")))
    family = root.get("font-family", "").strip("'\" ").lower()
    family = next((kept for name, kept in _FAMILIES.items() if family.startswith(name)), "helvetica")
    if font_file is not None:
        family = "given"
        for style in ("", "B"):
            pdf.add_font(family, style=style, fname=str(font_file))
    for letter in "".join("".join(root.itertext()).split()):
        if unicodedata.bidirectional(letter) in ("R", "AL") or unicodedata.category(letter) == "Mc":
            way = "can't be written, as letters are set from left to right and none are joined; save the picture as SVG"
            raise ValueError(f"a PDF or PNG with {letter!r} {way}, which a browser prints as PDF")
        if not (ord(letter) in pdf.fonts[family].cmap if font_file else letter.encode(_LATIN, "ignore")):
            way = "needs font_file, a TrueType file that has this letter, such as font_file='DejaVuSans.ttf'"
            raise ValueError(f"a PDF or PNG with {letter!r} {way}; or save the picture as SVG")
    for part in () if font_file else root.iter():
        # fpdf2 takes letters for the bytes of the font, of which that of three dots would be a blank.
        part.text = part.text and part.text.replace("…", "...").encode(_LATIN).decode("latin-1")
    root.set("font-family", family)
    pdf.set_auto_page_break(False)
    pdf.add_page()
    fpdf.svg.SVGObject(ElementTree.tostring(root, encoding="unicode")).draw_to_page(pdf)
    return bytes(pdf.output())


def _prepare(root):
    """Leave out what is not drawn, and draw the rims of letters below them, as fpdf2 draws them above."""
    for parent in root.iter():
        for k, part in reversed(list(enumerate(parent))):
            if part.tag.endswith(("}title", "}desc")):
                parent.remove(part)
            elif part.get("paint-order") == "stroke":
                parent.insert(k, copy.deepcopy(part))
                for name in _RIM:
                    part.attrib.pop(name, None)


def _as_png(pdf, dpi):
    page = _needed("pypdfium2", "pypdfium2").PdfDocument(pdf)[0]
    out = io.BytesIO()
    page.render(scale=dpi / 72).to_pil().save(out, "PNG", dpi=(dpi, dpi))
    return out.getvalue()


def _length(said):
    """Return a length of an SVG in points; without a unit it is in pixels, 96 to an inch."""
    return float(said) * 0.75 if said[-1].isdigit() else points_of(said)


def _needed(module, package):
    try:
        return __import__(module)
    except ImportError:
        way = "pip install 'notebook_sne[figures]'; an SVG needs nothing"
        raise ImportError(f"a PDF or PNG needs {package}: {way}") from None
