import io

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from notebook_sne.datasets import DamagedFile, fetch_coil20, fetch_olivetti
from notebook_sne.quality import knn_error
from tests.archives.damage import zipped

FACES, OBJECTS = "olivetti/olivettifaces.mat", "coil20/coil-20-proc.zip"

pytestmark = pytest.mark.filterwarnings("ignore:the file .* has the SHA-256 checksum")


def as_mat(**variables):
    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


def faces():
    return np.random.default_rng(0).integers(0, 243, (400, 64, 64), dtype=np.uint8)


def as_columns(images):
    """An image a column, written column by column, as in the published file."""
    return images.transpose(0, 2, 1).reshape(len(images), -1).T


def test_a_face_is_a_column_written_column_by_column(cache, site, publish):
    publish(FACES, site.publish("5976027", as_mat(faces=as_columns(faces()), p=np.arange(3))))
    data = fetch_olivetti(progress=False)
    np.testing.assert_array_equal(data.images, faces())
    np.testing.assert_array_equal(data.X, faces().reshape(400, -1))
    assert np.bincount(data.labels).tolist() == [10] * 40 and (np.diff(data.labels) >= 0).all()
    assert data.citation and data.license


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a MATLAB file"),
        (b"<html>Welcome to the hotel</html>" * 9, "is not a MATLAB file"),
        (as_mat(faces=as_columns(faces()))[:-400_000], "is not a MATLAB file"),
        (as_mat(people=as_columns(faces())), "is not a MATLAB file with a variable faces"),
        (as_mat(faces=as_columns(faces()).T), r"faces of uint8, shape \(400, 4096\), where uint8, \(4096, 400\)"),
        (as_mat(faces=as_columns(faces()) / 255), "faces of float64"),
    ],
)
def test_a_file_that_does_not_hold_the_faces_is_damaged(cache, site, publish, content, message):
    publish(FACES, site.publish("5976027", content))
    with pytest.raises(DamagedFile, match=message) as caught:
        fetch_olivetti(progress=False)
    assert str(cache / FACES) in str(caught.value)


def as_png(array, **options):
    stream = io.BytesIO()
    Image.fromarray(array).save(stream, "PNG", **options)
    return stream.getvalue()


SMALL = {
    (which, view): np.full((32, 32), which + 3 * view, np.uint8) for which in range(1, 21) for view in range(72)
}  # fmt: skip
IMAGES = {f"obj{which}__{view}.png": as_png(array) for (which, view), array in SMALL.items()}


def archive(images, folder="coil-20-proc/"):
    return zipped({folder + name: content for name, content in {"readme.txt": "what is in it", **images}.items()})


@pytest.fixture
def put(cache):
    (cache / "coil20").mkdir(parents=True)
    return (cache / OBJECTS).write_bytes


@pytest.mark.parametrize("folder", ["coil-20-proc/", "", "../../outside/"])
def test_views_come_in_the_order_of_their_angles(put, cache, folder):
    put(archive(dict(reversed(IMAGES.items())), folder))
    data = fetch_coil20()
    np.testing.assert_array_equal(data.images, np.stack([SMALL[key] for key in sorted(SMALL)]))
    np.testing.assert_array_equal(data.X, data.images.reshape(1440, -1))
    assert data.labels.tolist() == sorted(list(range(1, 21)) * 72)
    assert (data.names[0], data.names[71], data.names[-1]) == (
        "object 1, 0 degrees", "object 1, 355 degrees", "object 20, 355 degrees",
    )  # fmt: skip
    assert [path for path in cache.parent.rglob("*") if path.is_file()] == [cache / OBJECTS]


@pytest.mark.slow
def test_larger_photographs_are_reduced_to_means_of_squares(put):
    large = np.random.default_rng(0).integers(0, 256, (128, 128), dtype=np.uint8)
    put(archive({**dict.fromkeys(IMAGES, as_png(large))}))
    expected = [[large[4 * i : 4 * i + 4, 4 * j : 4 * j + 4].mean() for j in range(32)] for i in range(32)]
    np.testing.assert_allclose(fetch_coil20().images[1439], expected)


WITHOUT = {name: content for name, content in IMAGES.items() if name != "obj7__3.png"}
OTHER = "obj7__3.png"
TINY, COLOR = as_png(np.zeros((16, 16), np.uint8)), as_png(np.zeros((32, 32, 3), np.uint8))
HUGE, MIDDLE = as_png(np.zeros((256, 256), np.uint8)), as_png(np.zeros((64, 64), np.uint8))
LONG = as_png(np.zeros((32, 32), np.uint8)) + bytes(40_000)
CUT = IMAGES[OTHER][:-30]
JPEG = io.BytesIO()
Image.fromarray(SMALL[7, 3]).save(JPEG, "JPEG")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: b"", "cannot be unpacked"),
        (lambda: archive(IMAGES)[:-40], "cannot be unpacked"),
        (lambda: archive(IMAGES).replace(b"PK\x03\x04", b"PK\x03\x05"), "cannot be unpacked"),
        (lambda: archive({}), "has 0 images of objects where one each .* 1440 in all"),
        (lambda: archive(WITHOUT), "has 1439 images"),
        (lambda: archive({**IMAGES, "more/obj7__3.png": CUT}), "has 1441 images"),
        (lambda: archive({**WITHOUT, "obj7__72.png": IMAGES[OTHER]}), "has 1440 images of objects where one each"),
        (lambda: archive({**IMAGES, OTHER: TINY}), "in .*obj7__3.png 16 x 16 pixels of mode L"),
        (lambda: archive({**IMAGES, OTHER: HUGE}), "in .*obj7__3.png 256 x 256 pixels"),
        (lambda: archive({**IMAGES, OTHER: COLOR}), "in .*obj7__3.png 32 x 32 pixels of mode RGB"),
        (lambda: archive({**IMAGES, OTHER: MIDDLE}), "has images of different sizes"),
        (lambda: archive({**IMAGES, OTHER: LONG}), "holds more than 32768 bytes of .*obj7__3.png"),
        (lambda: archive({**IMAGES, OTHER: CUT}), "has in .*obj7__3.png no image"),
        (lambda: archive({**IMAGES, OTHER: b"GIF89a"}), "has in .*obj7__3.png no image"),
        (lambda: archive({**IMAGES, OTHER: JPEG.getvalue()}), "has in .*obj7__3.png no image"),
    ],
    ids=[
        "empty", "cut", "header", "none", "one missing", "one twice", "view too many", "tiny", "huge", "color",
        "two sizes", "long", "image cut", "no image", "jpeg",
    ],
)  # fmt: skip
def test_a_file_that_does_not_hold_the_photographs_is_damaged(put, cache, make, message):
    put(make())
    with pytest.raises(DamagedFile, match=message) as caught:
        fetch_coil20()
    assert str(cache / OBJECTS) in str(caught.value)


@pytest.mark.data
def test_ten_real_faces_in_a_row_are_of_one_person(real_data):
    real_data("olivetti")
    data = fetch_olivetti()
    assert (data.X.min(), data.X.max()) == (0, 242)
    # As scikit-learn shows its own: 0.3099, 0.3678, 0.4174 of the largest, in the first row of the first face.
    assert data.images[0, 0, :3].tolist() == [75, 89, 101]
    assert knn_error(data.X, data.labels) < 0.1


@pytest.mark.data
@pytest.mark.filterwarnings("error:the file .* has the SHA-256 checksum")
def test_real_objects_turn_step_by_step(real_data):
    real_data("coil20")
    data = fetch_coil20()
    turns = data.X.reshape(20, 72, 1024)
    step = np.linalg.norm(turns - np.roll(turns, 1, axis=1), axis=2)  # the last view is next to the first
    across = np.linalg.norm(turns - np.roll(turns, 18, axis=1), axis=2)
    assert (step[:, 0] < across.max(axis=1)).all() and np.median(step) < np.median(across) / 2
