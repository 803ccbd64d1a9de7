"""The only place that knows what GB, GiB, milliseconds and "billions" are.

Everything inside `calc` is SI: bytes, seconds, FLOP, tokens. These factors are for
the edges, where a reader types `7` and means 7e9, or sees `22.6 GB`.
"""

BILLION = 1e9
MILLION = 1e6

SECONDS_PER_HOUR = 3600.0

KIB = 2.0**10
MIB = 2.0**20
GIB = 2.0**30

KB = 1e3
MB = 1e6
GB = 1e9
TB = 1e12

GIGA = 1e9
TERA = 1e12

MILLISECOND = 1e-3
MICROSECOND = 1e-6

#: How a page shows an SI unit: ever smaller units, the first one that is not
#: larger than the value wins. Read by the browser as data.
DISPLAY_UNITS: dict[str, tuple[tuple[str, float], ...]] = {
    "B": (("TB", 1000 * GB), ("GB", GB / 100), ("MB", MB / 100), ("kB", KB / 10), ("B", 0.0)),
    "B/s": (("TB/s", TB / 100), ("GB/s", 0.0)),
}
