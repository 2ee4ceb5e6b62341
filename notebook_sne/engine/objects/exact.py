"""Whole numbers and dates in two parts, as a double holds no more than 53 bits.

Identifiers have 64 bits, and dates nanoseconds; a double, all that JavaScript and a recording know as a number, has 53.
So a number is a double and a rest, what it has beyond that double, and a date is a time and its nanoseconds beyond
that. Both parts are exact, and in the order of the numbers if the second decides where the first ones are equal.
"""

from typing import Any

import numpy as np

__all__ = ["date_unit", "join_dates", "join_whole", "split_dates", "split_whole"]

_HALF = 32  # bits
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def split_whole(whole: Any) -> tuple[Any, Any]:
    """Return the nearest doubles of whole numbers of 64 bits, and the rests; None where all are 0."""
    if whole.dtype.itemsize < 8:
        return whole.astype(np.float64), None
    top, bottom = (whole >> _HALF).astype(np.float64) * 2.0**_HALF, (whole & 0xFFFF_FFFF).astype(np.float64)
    high = top + bottom
    rest = bottom - (high - top)
    return high, rest if rest.any() else None


def join_whole(high, rest):
    """Return the whole numbers of doubles and rests: int64, uint64 where one is 2**63 or more."""
    top = np.floor(high / 2.0**_HALF)
    bottom = (high - top * 2.0**_HALF).astype(np.int64) + rest.astype(np.int64)
    whole = (top.astype(np.int64) << _HALF) + bottom  # modulo 2**64, where the rounded one has a bit too many
    large = (high > 2.0**63) | ((high == 2.0**63) & (rest >= 0))
    return whole.view(np.uint64) if large.any() else whole


def date_unit(dtype):
    """Return the unit of NumPy's or pandas' dates that is no coarser than theirs: s, ms, us or ns."""
    unit = getattr(dtype, "unit", None) or (np.datetime_data(dtype)[0] if isinstance(dtype, np.dtype) else "ns")
    return unit if unit in _PER_SECOND else "s" if unit in ("Y", "M", "W", "D", "h", "m") else "ns"


def split_dates(moments: Any, unit: str) -> tuple[Any, Any]:
    """Return datetime64 in whole `unit` since 1970, int64, and their nanoseconds beyond; None where all are 0."""
    ticks, per = moments.view(np.int64), _PER_SECOND[np.datetime_data(moments.dtype)[0]] // _PER_SECOND[unit]
    if per <= 1:
        return moments.astype(f"datetime64[{unit}]").view(np.int64), None
    high, rest = np.divmod(ticks, per)
    rest *= 10**9 // (per * _PER_SECOND[unit])
    return high, rest if rest.any() else None


def join_dates(high, rest):
    """Return milliseconds since 1970 and nanoseconds beyond as datetime64, NaT where NaN: in us, if that suffices."""
    there = ~np.isnan(high)
    moments = np.where(there, high, 0.0).astype(np.int64)
    unit = "ms"
    if rest is not None:
        unit, per = ("ns", 10**6) if (rest % 1000).any() else ("us", 10**3)
        moments = moments * per + rest.astype(np.int64) // (10**6 // per)
    dates = moments.view(f"datetime64[{unit}]")
    dates[~there] = "NaT"
    return dates
