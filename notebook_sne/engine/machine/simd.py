"""Many numbers at a time: 64 bytes, the widest that vector instructions take, which are 8 doubles or 16 floats.

A loop without branches over neighboring numbers becomes vector instructions by itself. Two loops of this package do
not, or do so badly: one that fetches scattered points, for which the processor's own instruction is slow, and short
ones over the maps of a pair, which spend more time on beginning and ending than on their sums. They are written with
`Vector`: numbers of one type, with the operators of arithmetic among themselves and with a single number of that type.

============================= ===========================================================
``count_in(a)``               how many numbers of an array are taken at a time
``load(a, k)``                so many, from a[k] on, of a one-dimensional array
``eight(a, k)``               eight of them, doubles or floats, as they are
``in_type_of(v, like)``       eight doubles in the type of `like`, eight doubles or floats
``put(a, k, v)``              write them
``fetch(points, columns, k)`` x and y of eight points, that of columns[k] first; doubles
``call(a, k)``                have the line of the cache with the k-th number of a brought near, to be read soon
``spread(x)``                 x in all lanes
``larger(v, w)``              the larger of each two; ``smaller(v, w)``
``largest(v)``, ``total(v)``  one number; the sum is in a fixed order
============================= ===========================================================

Indices aren't checked. Without compilation lanes are a NumPy array, which has the same operators.

Longer than 300 lines because every operation on a vector is written out for the compiler, beside its plain twin.
"""

import operator

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = [
    "N_DOUBLES",
    "Vector",
    "aligned",
    "call",
    "count_in",
    "eight",
    "fetch",
    "in_type_of",
    "larger",
    "largest",
    "load",
    "machine_type",
    "put",
    "smaller",
]
__all__ += ["spread", "total"]

_BYTES = 64
N_DOUBLES = 8
"""How many doubles are taken at a time."""

_FLAGS = tuple(sorted(FAST_SERIAL["fastmath"]))  # type: ignore[call-overload]
_ELEMENTS = {
    types.float32: ir.FloatType(),
    types.float64: ir.DoubleType(),
    types.int32: ir.IntType(32),
    types.int64: ir.IntType(64),
}
_INDEX = ir.IntType(64)


class Vector(types.Type):
    """The compiled type of `count` numbers of Numba's `dtype`; where that is left out, as many as fill 64 bytes."""

    def __init__(self, dtype, count=None):
        self.dtype = dtype
        self.count = count or _BYTES * 8 // dtype.bitwidth
        super().__init__(f"Vector({dtype}, {self.count})")


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, lanes):
        super().__init__(manager, lanes, machine_type(lanes))


def machine_type(kind):
    """Return the LLVM type of a number, or of several, of the Numba type `kind`."""
    if isinstance(kind, Vector):
        return ir.VectorType(_ELEMENTS[kind.dtype], kind.count)
    return _ELEMENTS[kind]


def count_in(a):
    """Return how many numbers of an array a are taken at a time."""
    return _BYTES // a.itemsize


def aligned(size, dtype):
    """Return a new array of this size and dtype that begins where a line of the processor's cache does.

    Vector then lie in one line and not in two.
    """
    lanes = count_in(np.empty(0, dtype))
    a = np.empty(size + lanes, dtype)
    first = -(a.ctypes.data // a.itemsize) % lanes
    return a[first : first + size]


def load(a, k):
    """Return the numbers from a[k] on."""
    return a[k : k + count_in(a)].copy()


def eight(a, k):
    """Return the eight numbers from a[k] on."""
    return a[k : k + N_DOUBLES].copy()


def in_type_of(v, like):
    """Return the eight doubles v in the type of `like`, eight doubles or floats."""
    return v.astype(like.dtype)


def put(a, k, v):
    """Write v from a[k] on."""
    a[k : k + len(v)] = v


def fetch(points, columns, k):
    """Return the two coordinates of the points, shape (N, 2), that columns[k] to columns[k + 7] name."""
    some = points[columns[k : k + N_DOUBLES]]
    return some[:, 0], some[:, 1]


def call(a, k):
    """Have the k-th number of a, and what lies beside it, brought into the cache, while others are computed with."""


def spread(x):
    """Return x in all lanes."""
    return np.full(count_in(np.asarray(x)), x)


def larger(v, w):
    """Return the larger of each two numbers; v or w may be a single one."""
    return np.maximum(v, w)


def smaller(v, w):
    """Return the smaller of each two numbers; v or w may be a single one."""
    return np.minimum(v, w)


def largest(v):
    """Return the largest of the numbers v."""
    return v.max()


def total(v):
    """Return the sum of the numbers v."""
    return v.sum()


def _first(builder, context, kind, lanes, a, k):
    """Return a pointer to the numbers from a[k] on, so many as in the Vector `lanes`."""
    data = context.make_array(kind)(context, builder, a).data
    return builder.bitcast(builder.gep(data, [k]), machine_type(lanes).as_pointer())


def _loading(count):
    @intrinsic
    def load_lanes(context, a, k):
        lanes = Vector(a.dtype, count)

        def generate(context, builder, signature, arguments):
            numbers = builder.load(_first(builder, context, signature.args[0], lanes, *arguments))
            numbers.align = a.dtype.bitwidth // 8
            return numbers

        return lanes(a, types.int64), generate

    return load_lanes


_load, _eight = _loading(None), _loading(N_DOUBLES)


@intrinsic
def _in_type_of(context, v, like):
    def generate(context, builder, signature, arguments):
        return arguments[0] if like == v else builder.fptrunc(arguments[0], machine_type(like))

    return like(v, like), generate


@intrinsic
def _put(context, a, k, v):
    def generate(context, builder, signature, arguments):
        there = _first(builder, context, signature.args[0], v, *arguments[:2])
        builder.store(arguments[2], there).align = a.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(a, types.int64, v), generate


@intrinsic
def _fetch(context, points, columns, k):
    pair = ir.VectorType(ir.DoubleType(), 2)
    lanes = Vector(types.float64)

    def join(builder, a, b, places):
        return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places))

    def generate(context, builder, signature, arguments):
        first = context.make_array(points)(context, builder, arguments[0]).data
        first = builder.bitcast(first, pair.as_pointer())
        names = context.make_array(columns)(context, builder, arguments[1]).data
        parts = []
        for lane in range(N_DOUBLES):
            place = builder.add(arguments[2], ir.Constant(_INDEX, lane))
            j = builder.sext(builder.load(builder.gep(names, [place])), _INDEX)
            point = builder.load(builder.gep(first, [j]))
            point.align = 8
            parts.append(point)
        while len(parts) > 2:
            size = parts[0].type.count
            parts = [join(builder, a, b, list(range(2 * size))) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        xy = [join(builder, parts[0], parts[1], list(range(a, 2 * N_DOUBLES, 2))) for a in range(2)]
        return context.make_tuple(builder, signature.return_type, xy)

    return types.UniTuple(lanes, 2)(points, columns, types.int64), generate


@intrinsic
def _call(context, a, k):
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind, name = ir.FunctionType(ir.VoidType(), [byte, number, number, number]), "llvm.prefetch.p0i8"
    how = [ir.Constant(number, value) for value in (0, 3, 1)]  # to read, and to keep: data

    def generate(context, builder, signature, arguments):
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        place = builder.gep(context.make_array(a)(context, builder, arguments[0]).data, [arguments[1]])
        builder.call(function, [builder.bitcast(place, byte), *how])
        return context.get_dummy_value()

    return types.void(a, types.int64), generate


def _spread_out(builder, x, count):
    one = ir.Constant(ir.VectorType(x.type, count), ir.Undefined)
    one = builder.insert_element(one, x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count))


@intrinsic
def _spread(context, x):
    lanes = Vector(x)
    return lanes(x), lambda context, builder, signature, arguments: _spread_out(builder, arguments[0], lanes.count)


def _reduction(name, start, flags):
    @intrinsic
    def reduce(context, v):
        def generate(context, builder, signature, arguments):
            whole, element = machine_type(v), machine_type(v.dtype)
            begin = [] if start is None else [ir.Constant(element, start)]
            kind = ir.FunctionType(element, [c.type for c in begin] + [whole])
            full = f"llvm.vector.reduce.{name}.v{v.count}f{v.dtype.bitwidth}"
            function = builder.module.globals.get(full) or ir.Function(builder.module, kind, full)
            return builder.call(function, [*begin, *arguments], fastmath=flags)

        return v.dtype(v), generate

    return reduce


_total = _reduction("fadd", -0.0, _FLAGS)
_largest = _reduction("fmax", None, ("nnan",))  # positions are finite


@overload(count_in)
def _compiled_count_in(a):
    count = Vector(a.dtype).count
    return lambda a: count


def _compiled_by(function, inner):
    """Let compiled code call an intrinsic where plain Python calls a function of one to three arguments."""
    overload(function)(
        {
            1: lambda a: lambda a: inner(a),
            2: lambda a, b: lambda a, b: inner(a, b),
            3: lambda a, b, c: lambda a, b, c: inner(a, b, c),
        }[function.__code__.co_argcount]
    )


for _function, _inner in (
    (load, _load), (eight, _eight), (in_type_of, _in_type_of), (put, _put), (fetch, _fetch), (call, _call),
    (spread, _spread), (total, _total), (largest, _largest),
):  # fmt: skip
    _compiled_by(_function, _inner)


def _operator(function, build):
    """Give Vector an operator; a number beside them stands in all lanes, in their type."""

    @intrinsic
    def both(context, a, b):
        lanes = a if isinstance(a, Vector) else b
        kinds = [t if isinstance(t, Vector) else lanes.dtype for t in (a, b)]

        def generate(context, builder, signature, arguments):
            operands = [
                x if isinstance(t, Vector) else _spread_out(builder, x, lanes.count)
                for t, x in zip(kinds, arguments, strict=True)
            ]
            return build(builder, *operands)

        return lanes(*kinds), generate

    @overload(function)
    def _compiled(a, b):
        if isinstance(a, Vector) or isinstance(b, Vector):
            return lambda a, b: both(a, b)
        return None


_operator(operator.add, lambda builder, a, b: builder.fadd(a, b, flags=_FLAGS))
_operator(operator.sub, lambda builder, a, b: builder.fsub(a, b, flags=_FLAGS))
_operator(operator.mul, lambda builder, a, b: builder.fmul(a, b, flags=_FLAGS))
_operator(operator.truediv, lambda builder, a, b: builder.fdiv(a, b, flags=_FLAGS))
# Written so that what is not a number in the first place stays so.
_operator(larger, lambda builder, a, b: builder.select(builder.fcmp_ordered("<", a, b), b, a))
_operator(smaller, lambda builder, a, b: builder.select(builder.fcmp_ordered(">", a, b), b, a))


@overload(larger)
def _larger_number(v, w):
    return None if isinstance(v, Vector) or isinstance(w, Vector) else lambda v, w: max(v, w)


@overload(smaller)
def _smaller_number(v, w):
    return None if isinstance(v, Vector) or isinstance(w, Vector) else lambda v, w: min(v, w)
