"""Figures of cards that nobody has read at their source: a list that changes on purpose only."""

from __future__ import annotations

from calc.presets.hardware import gpu_rows

#: Preset and figure, where the data file says that the source was not read.
UNVERIFIED = {
    ("a10g", "int8_tops"),
    ("gb10", "bf16_tflops"),
    ("gb10", "fp8_tflops"),
    ("gb10", "int8_tops"),
    ("rx-7900-xtx", "hbm_gb_per_s"),
    ("rx-9070-xt", "fp8_tflops"),
    ("rtx-3080-ti", "hbm_gb"),
    ("rtx-3080-ti", "hbm_gb_per_s"),
    ("ryzen-ai-max-395", "hbm_gb"),
    ("ryzen-ai-max-395", "hbm_gb_per_s"),
    ("ryzen-ai-max-395", "bf16_tflops"),
}


def test_unverified_figures_are_the_known_ones():
    found = {
        (id_, key)
        for id_, row in gpu_rows().items()
        for key, figure in row.items()
        if key != "name" and figure[1].startswith("unverified: ")
    }
    assert found == UNVERIFIED


def test_no_source_hides_the_word():
    sources = {f[1] for row in gpu_rows().values() for key, f in row.items() if key != "name"}
    assert all("nverified" not in s.removeprefix("unverified: ") for s in sources)
