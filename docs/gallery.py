"""The maps that play on the site, made from data that need no network, and the gallery that lists them by domain."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_sample_image
from sklearn.preprocessing import StandardScaler

import notebook_sne as ns
from notebook_sne.views.raster import png

_STEPS = 5  # of a brief build


class Piece(NamedTuple):
    """A map that plays: its name, its title, what is to be seen, and what writes its page and returns a picture."""

    name: str
    title: str
    words: str
    write: Callable[[Path, bool], bytes]


def _film(data, *models, live=False, frames=80, steps=None, images=False, controls="few", fits=0):
    """Return what writes the film of a run: of the first model, and of those that take over from it.

    With `steps` the run stops after so many, with `live` it goes on in the page, and with `images` these are the marks;
    `controls` are what a reader finds around the map. Of so many `fits` it is known which objects lie in one region.
    """

    def write(path, brief):
        made = [model(brief) for model in models]
        sure = ns.certainty(ns.refits(made[0], data().X, n_fits=fits), data().labels) if fits else None
        player = ns.watch(made[0], data(), autoplay=False, controls=controls, certainty=sure)
        player.show_pairs = not fits
        player.show_images = images
        try:
            for number, model in enumerate(made):
                if number:
                    player.run.switch(model)
                if steps is None:
                    player.run.play()
                    player.run.wait()
                else:
                    player.run.steps(steps)
            player.to_html(path, frames=frames, live=live)
            return _collage(player.objects(), data().images) if images else _picture(player.objects())
        finally:
            player.close()

    return write


def _collage(objects, images, size=440, side=14):
    """Draw each image at its map point."""
    Y = objects[["x", "y"]].to_numpy()
    places = (Y - Y.min(axis=0)) / np.ptp(Y, axis=0) * (size - side)
    paper = Image.new("RGB", (size, size), "white")
    for (x, y), image in zip(places, images, strict=True):
        paper.paste(Image.fromarray(image).resize((side, side)), (round(x), round(size - side - y)))
    file = io.BytesIO()
    paper.quantize(64).save(file, "png")
    return file.getvalue()


def _picture(objects):
    classes = np.unique(objects["label"].astype(str), return_inverse=True)[1] if "label" in objects else None
    values = objects["value"].rank(pct=True).to_numpy() if "value" in objects and classes is None else None
    return png(objects[["x", "y"]].to_numpy(), classes, values, size=220, most_bytes=30_000)


def _by(model, max_iter, **settings):
    """Return what makes a model that runs so many updates, or a few in a brief build."""
    return lambda brief: model(max_iter=_STEPS if brief else max_iter, random_state=0, progress=False, **settings)


def _senses(path, brief):
    words = ns.datasets.load_word_relations()
    settings = {"max_iter": _STEPS} if brief else {}
    model = ns.AspectMaps(n_maps=20, input="probabilities", random_state=0, progress=False, **settings).fit(words.P)
    explorer = ns.explore(model, words, word="bank")
    explorer.to_html(path)
    explorer.close()
    largest = model.mixing_[:, list(words.names).index("bank")].argmax()
    return png(model.maps_[largest], values=model.mixing_[largest], size=220, most_bytes=30_000)


def _grid(brief):
    return ns.baselines.SOM(random_state=0, **({"max_iter": _STEPS} if brief else {}))


def _facts(brief):
    return ns.relations.LRE(random_state=0, **({"max_iter": _STEPS} if brief else {}))


def _photograph(side=20):
    """Return the patches of a photograph bundled with scikit-learn (CC BY, by dany13)."""
    picture = load_sample_image("flower.jpg")
    down, across = picture.shape[0] // side, picture.shape[1] // side
    patches = picture[: down * side, : across * side].reshape(down, side, across, side, 3)
    patches = patches.swapaxes(1, 2).reshape(-1, side, side, 3)
    X = patches.reshape(len(patches), -1) / 255
    return ns.datasets.Dataset(title="flower", X=X, images=patches)


def _biopsies():
    """Return the cell nuclei of 569 biopsies, bundled with scikit-learn (CC BY 4.0, Wolberg and others)."""
    table = load_breast_cancer(as_frame=True)
    shown = table.data[["mean radius", "mean texture", "mean smoothness", "mean concavity"]]
    return ns.datasets.Dataset(
        title="biopsies", X=StandardScaler().fit_transform(table.data), labels=table.target_names[table.target],
        names=[f"biopsy {i + 1}" for i in range(len(shown))], columns=shown,
    )  # fmt: skip


_digits = ns.datasets.load_digits

FRONT = Piece(
    "digits", "1,797 handwritten digits, arranged by t-SNE in this page", "",
    _film(_digits, lambda brief: ns.TSNE(max_iter=750, random_state=0, progress=False), live=True, steps=1,
          controls="bare", fits=5),
)  # fmt: skip

DOMAINS = {
    "Words": (
        Piece("senses", "Words with several senses", "Twenty aspect maps: type a word and read its neighbors in each.",
              _senses),
        Piece("common-words", "Five hundred words", "Which of the commonest English words are used alike? Type one.",
              _film(ns.datasets.load_common_words, _by(ns.TSNE, 500))),
    ),
    "Images": (
        Piece("photograph", "A photograph, cut up", "672 pieces of a picture of a flower, sorted by their colors.",
              _film(_photograph, _by(ns.TSNE, 500), images=True)),
        Piece("mnist", "5,000 images of MNIST", "t-SNE of a size that is used in earnest. Search, zoom, select.",
              _film(ns.datasets.load_mnist_5000, _by(ns.TSNE, 500), frames=40)),
    ),
    "Cells and people": (
        Piece("biopsies", "Cells of 569 biopsies", "Thirty measures of cell nuclei; benign or malignant was not told. "
              "Color by a measure.", _film(_biopsies, _by(ns.TSNE, 500))),
        Piece("families", "Two families from facts", "From facts such as (Colin, mother, Victoria) each person finds a "
              "place: linear relational embedding.", _film(ns.datasets.load_family_trees, _facts)),
    ),
    "Shapes": (
        Piece("swiss-roll", "A Swiss roll by SNE", "A sheet, rolled up: what does a map of neighbors make of it?",
              _film(lambda: ns.datasets.load_swiss_roll(800, random_state=0), _by(ns.SNE, 500, perplexity=20))),
        Piece("rings", "Two linked rings", "Linked in space; apart in the plane, and each of them whole. What is lost?",
              _film(ns.datasets.load_two_rings, _by(ns.TSNE, 400))),
    ),
    "One set of digits, method by method": (
        Piece("t-sne", "Digits by t-SNE, and on", "It computes in the page: turn a knob, drag a point.",
              _film(_digits, _by(ns.TSNE, 500), live=True)),
        Piece("sne", "Digits by SNE", "Each object chooses neighbors, and the map lets it choose alike. Point.",
              _film(_digits, _by(ns.SNE, 400))),
        Piece("symmetric-sne", "Digits by symmetric SNE", "One distribution over all pairs: no object is left alone.",
              _film(_digits, _by(ns.SymmetricSNE, 400))),
        Piece("uni-sne", "Digits by UNI-SNE", "A background takes the pairs that are far apart: the middle gets room.",
              _film(_digits, _by(ns.UNISNE, 500))),
        Piece("tails", "Heavy tails in mid-run", "Symmetric SNE comes to rest. Then t-SNE takes over the same points.",
              _film(lambda: ns.datasets.load_mnist_5000().sample(100, random_state=0),
                    _by(ns.SymmetricSNE, 250), _by(ns.TSNE, 250))),
        Piece("self-organizing-map", "Digits on a grid", "The places are fixed, and the objects come to them: a SOM.",
              _film(_digits, _grid)),
    ),
}  # fmt: skip
PIECES = tuple(piece for pieces in DOMAINS.values() for piece in pieces)


WIDE = "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n"  # at the head of a page: no list of what is on it


def framed(piece, up, then=""):
    """Return the markup that shows a map in a page; `up` leads to the top of the site, and `then` ends its address."""
    return (
        f'```{{raw}} html\n<iframe class="map" src="{up}maps/{piece.name}.html{then}" title="{piece.title}" '
        f"allowfullscreen></iframe>\n```\n"
    )


def write(folder, brief=False):
    """Write the maps and their pages into the folder that Sphinx reads."""
    maps, pages = folder / "_extra" / "maps", folder / "gallery"
    maps.mkdir(parents=True)
    pages.mkdir()
    for piece in (FRONT, *PIECES):
        (pages / f"{piece.name}.png").write_bytes(piece.write(maps / f"{piece.name}.html", brief))
    front = folder / "index.md"
    front.write_text(
        front.read_text(encoding="utf-8").replace("MAP\n", framed(FRONT, "", "#play"), 1), encoding="utf-8"
    )
    for piece in PIECES:
        alone = f'<a href="../maps/{piece.name}.html">The map alone</a>, a file that plays without a network.'
        text = f"{WIDE}# {piece.title}\n\n{piece.words}\n\n{framed(piece, '../', '#play')}\n{alone}\n"
        (pages / f"{piece.name}.md").write_text(text, encoding="utf-8")
    words = (
        "Maps that play in the page, without Python and without a network: point at an object, search, draw the slider "
        "back. Each picture is the end of its film."
    )
    listed = [f"{WIDE}# Gallery\n\n{words}\n"]
    for domain, pieces in DOMAINS.items():
        cards = (f"- [{one.title}]({one.name}.md)\n\n  ![]({one.name}.png)\n\n  {one.words}\n" for one in pieces)
        listed.append(f"## {domain}\n\n:::{{container}} cards\n" + "\n".join(cards) + ":::\n")
    (pages / "index.md").write_text(
        "\n".join(listed) + "\n```{toctree}\n:hidden:\n" + "\n".join(one.name for one in PIECES) + "\n```\n",
        encoding="utf-8",
    )
