"""Page weight: what a first visit transfers, raw and compressed."""

from __future__ import annotations

import gzip

import brotli

from app.build.export import exported, loaded_at_first


def main() -> dict[str, object]:
    """Weigh every file of the export, print the heavy ones, and give the totals."""
    rows = []
    for path, content in exported().items():
        if not loaded_at_first(path):
            continue
        small = gzip.compress(content, 9), brotli.compress(content, quality=11)
        rows.append((path.rsplit("/", 1)[-1], len(content), *map(len, small)))
    rows.sort(key=lambda row: -row[1])
    total = ("all files", *(sum(row[i] for row in rows) for i in (1, 2, 3)))
    print(f"\nPage weight in kB: {len(rows)} files")
    print(f"{'':34}{'raw':>10}{'gzip':>10}{'brotli':>10}")
    for name, *sizes in [*rows[:8], total]:
        print(f"{name:34}" + "".join(f"{size / 1e3:>10.1f}" for size in sizes))
    return {"files": len(rows), "raw": total[1], "gzip": total[2], "brotli": total[3]}
