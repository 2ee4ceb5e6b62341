"""Build mnist_5000.npz, the first 500 images of each digit in the training set of MNIST.

Run it with the folder that holds the two original files, as ``notebook-sne fetch mnist`` prints it, and the folder to
write to::

    python tools/build_mnist_5000.py ~/.cache/notebook_sne/mnist notebook_sne/datasets/bundled

The images are unchanged and lie in the order of their digits, and for each digit in the order of the training set. It
writes the same arrays every time; their bytes in the file depend on the version of zlib.
"""

import gzip
import hashlib
import sys
from pathlib import Path

import numpy as np

OF_EACH = 500
SHA256 = {
    "train-images-idx3-ubyte.gz": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "train-labels-idx1-ubyte.gz": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
}

folder = Path(sys.argv[1])
unpacked = []
for name, sha256 in SHA256.items():
    packed = (folder / name).read_bytes()
    actual = hashlib.sha256(packed).hexdigest()
    if actual != sha256:
        raise SystemExit(f"{folder / name} has the SHA-256 checksum {actual}, not {sha256}; fetch it again")
    unpacked.append(np.frombuffer(gzip.decompress(packed), np.uint8))

images, labels = unpacked[0][16:].reshape(-1, 28, 28), unpacked[1][8:]
first = np.concatenate([np.flatnonzero(labels == digit)[:OF_EACH] for digit in range(10)])
np.savez_compressed(Path(sys.argv[2]) / "mnist_5000.npz", images=images[first], labels=labels[first])
