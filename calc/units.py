"""The only place that knows what GB, GiB, milliseconds and "billions" are.

Everything inside `calc` is SI: bytes, seconds, FLOP, tokens. These factors are for
the edges, where a reader types `7` and means 7e9, or sees `22.6 GB`.
"""

BILLION = 1e9
MILLION = 1e6

SECONDS_PER_HOUR = 3600.0
#: Of 30 days.
SECONDS_PER_MONTH = 30 * 24 * SECONDS_PER_HOUR

KIB = 2.0**10
MIB = 2.0**20
GIB = 2.0**30
TIB = 2.0**40

MB = 1e6
GB = 1e9
TB = 1e12

GIGA = 1e9
TERA = 1e12

MILLISECOND = 1e-3
MICROSECOND = 1e-6

#: How an SI unit is shown: display unit, its size, and from which value on it is used;
#: the first that applies wins. Read by the browser as data.
DISPLAY_UNITS: dict[str, tuple[tuple[str, float, float], ...]] = {
    "B": (("TB", TB, 10 * TB), ("GB", GB, 0.1 * GB), ("MB", MB, MB), ("bytes", 1.0, 0.0)),
    "B/s": (("TB/s", TB, 0.0),),
    "FLOP": (("PFLOP", 1000 * TERA, 1000 * TERA), ("TFLOP", TERA, TERA), ("GFLOP", GIGA, 0.0)),
    "FLOP/s": (("TFLOP/s", TERA, 0.0),),
    "FLOP/B": (("FLOP/byte", 1.0, 0.0),),
    "s": (("s", 1.0, 1.0), ("ms", MILLISECOND, 0.0)),
}

#: The same for those who count memory in powers of two.
BINARY_UNITS: dict[str, tuple[tuple[str, float, float], ...]] = {
    "B": (("TiB", TIB, 10 * TIB), ("GiB", GIB, 0.1 * GIB), ("MiB", MIB, MIB), ("bytes", 1.0, 0.0)),
}

#: What may stand behind a typed number of this unit, and how many that is. A context of 32K is
#: 32,768 tokens, as models count theirs in powers of two. Read by the browser as data.
TYPED_SUFFIXES: dict[str, dict[str, float]] = {"tokens": {"K": KIB, "M": MIB}}
