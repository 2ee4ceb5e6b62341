"""kernels.wasm, or placing.wasm, in two engines, driven alike: wasmtime from Python, and V8 in Node.

A piece of work is a list of named arrays and a list of calls, whose arguments are numbers or names of arrays. Both
engines return what each call returned, and the arrays afterward, so that these can be compared bit by bit.
"""

import base64
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np

import notebook_sne
from tests.standins.waiting import LONG

WASM = Path(notebook_sne.__file__).parent / "engine" / "portable" / "kernels.wasm"
NODE = shutil.which("node")


@cache
def _module(place):
    import wasmtime

    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, place.read_bytes())


class Kernels:
    """An instance of the module in wasmtime, with the arrays that were put into its memory."""

    def __init__(self, place=WASM):
        import wasmtime

        engine, module = _module(place)
        self.store = wasmtime.Store(engine)
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory = self.exports["memory"]
        self.places = {}

    def put(self, name, array):
        array = np.ascontiguousarray(array)
        place = self.exports["allocate"](self.store, max(1, array.nbytes))
        self.places[name] = place, array.shape, array.dtype
        self.memory.write(self.store, array.tobytes(), place)

    def get(self, name):
        place, shape, dtype = self.places[name]
        n = int(np.prod(shape)) * dtype.itemsize
        return np.frombuffer(bytes(self.memory.read(self.store, place, place + n)), dtype).reshape(shape)

    def call(self, function, *arguments):
        given = [self.places[a][0] if isinstance(a, str) else a for a in arguments]
        return self.exports[function](self.store, *given)


def in_wasmtime(arrays, calls, place=WASM):
    """Return the results of the calls, and the arrays after them."""
    kernels = Kernels(place)
    for name, array in arrays.items():
        kernels.put(name, array)
    results = [kernels.call(*call) for call in calls]
    return results, {name: kernels.get(name) for name in arrays}


def in_node(arrays, calls, place=WASM):
    """Return the same from Node."""
    work = {
        "arrays": {name: base64.b64encode(np.ascontiguousarray(a).tobytes()).decode() for name, a in arrays.items()},
        "calls": calls,
    }
    here = Path(__file__).parent / "in_node.mjs"
    done = subprocess.run(
        [NODE, here, place], input=json.dumps(work), capture_output=True, text=True, timeout=LONG, check=True
    )
    found = json.loads(done.stdout)
    after = {
        name: np.frombuffer(base64.b64decode(text), arrays[name].dtype).reshape(arrays[name].shape)
        for name, text in found["arrays"].items()
    }
    return found["results"], after
