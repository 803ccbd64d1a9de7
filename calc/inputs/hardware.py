"""What GPUs serve it: cards that are sold, or one of your own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from calc.inputs.declaration import OPEN, choice, number, numbers_of, record_of
from calc.inputs.parallelism import MOST_GPUS
from calc.presets.hardware import GPUS, OWN_GPU
from calc.primitives import given
from calc.quantity import Value
from calc.scenario import Gpu
from calc.units import GB, TERA

LESSONS_GPU = "h100-80gb-lesson"


def _figure(sets: str, range: tuple[float, float], factor: float, **words: Any) -> Any:
    """Declare one figure of an own card."""
    return number("Hardware", OPEN, range, sets=(sets,), factor=factor, **words)


@dataclass(frozen=True, kw_only=True)
class HardwareInputs:
    """The GPUs: their name or the figures of an own one, their number and price."""

    gpu: str | Gpu = choice(
        "Hardware",
        LESSONS_GPU,
        GPUS,
        names=f"{OWN_GPU}, or a name that `decode-arithmetic gpus` lists",
        label="GPU",
        doc="A card that is sold. custom is one of your own, by the figures below; what is not "
        "given is as the lesson's H100 has it.",
    )
    hbm_gb: Value = _figure(
        "hbm_marketed_bytes", (1, 100_000), GB, unit="GB", label="Memory", doc="HBM of an own card."
    )
    hbm_gb_per_s: Value = _figure(
        "hbm_bytes_per_s",
        (1, 1_000_000),
        GB,
        unit="GB/s",
        label="Bandwidth",
        doc="HBM bandwidth of an own card.",
    )
    bf16_tflops: Value = _figure(
        "peak_16bit_flops_per_s",
        (0.1, 1_000_000),
        TERA,
        unit="TFLOP/s",
        label="16-bit peak",
        doc="Dense 16-bit peak of an own card.",
    )
    fp8_tflops: Value = _figure(
        "peak_8bit_flops_per_s",
        (0, 1_000_000),
        TERA,
        unit="TFLOP/s",
        label="8-bit peak",
        doc="Dense peak of an own card in fp8 and int8; twice the 16-bit peak unless given, "
        "0 = it has none.",
    )
    fp4_tflops: Value = _figure(
        "peak_4bit_flops_per_s",
        (0, 1_000_000),
        TERA,
        unit="TFLOP/s",
        label="4-bit peak",
        doc="Dense fp4 peak of an own card; it has none unless given.",
    )
    link_gb_per_s: Value = _figure(
        "link_bytes_per_s",
        (0.1, 1_000_000),
        GB,
        unit="GB/s",
        label="Link",
        doc="From an own card to the other GPUs, each way.",
    )
    host_link_gb_per_s: Value = number(
        "Hardware",
        50.0,
        (0.1, 1_000_000),
        unit="GB/s",
        sets=("host_link_bytes_per_s",),
        factor=GB,
        label="Link to the host",
        doc="From host memory to each GPU, as reached: about 50 over PCIe of generation 5, 25 of "
        "generation 4. A cached prefix that lies there takes host_load_s more to the first token.",
    )
    gpus: Value = number(
        "Hardware",
        1.0,
        (1, MOST_GPUS),
        whole=True,
        sets=("n_gpus",),
        label="GPUs",
        doc="GPUs that serve the model; they share each layer (tensor-parallel) unless dp or pp "
        "is set.",
    )
    bandwidth_factor: Value = number(
        "Hardware",
        1.0,
        (0.1, 100),
        symbol="×BW",
        sets=("hbm_bytes_per_s",),
        label="Bandwidth, times",
        doc="What if HBM were so many times as fast?",
    )
    peak_factor: Value = number(
        "Hardware",
        1.0,
        (0.1, 100),
        symbol="×peak",
        sets=(
            "peak_16bit_flops_per_s",
            "peak_8bit_flops_per_s",
            "peak_int8_flops_per_s",
            "peak_4bit_flops_per_s",
        ),
        label="Peak, times",
        doc="What if arithmetic were so many times as fast?",
    )
    usd_per_gpu_hour: Value = number(
        "Hardware",
        3.0,
        (0, 1000),
        unit="USD/h",
        sets=("usd_per_hour",),
        label="Price",
        doc="Price of one GPU hour. Choosing a GPU on the page also sets it, to what that one "
        "costs if that is known.",
    )

    def gpu_record(self) -> Gpu:
        """The card at its price, as many times as fast as asked."""
        card = self._card()
        rates = {
            name: getattr(card, name) * getattr(self, key)
            for key in ("bandwidth_factor", "peak_factor")
            for name in _FIGURES[key].sets
        }
        return replace(
            card,
            usd_per_hour=self.usd_per_gpu_hour,
            host_link_bytes_per_s=self.host_link_gb_per_s * GB,
            **rates,
        )

    def _card(self) -> Gpu:
        """The record itself; where it is open, the inputs; where they are, the lesson's card."""
        record, usual = record_of(GPUS, self.gpu), GPUS[LESSONS_GPU]

        def figure(key: str, otherwise: Value) -> Value:
            name, factor = _FIGURES[key].sets[0], _FIGURES[key].factor
            return given(getattr(record, name), given(getattr(self, key) * factor, otherwise))

        hbm_bytes = figure("hbm_gb", usual.hbm_marketed_bytes)
        peak_16bit = figure("bf16_tflops", usual.peak_16bit_flops_per_s)
        peak_8bit = figure("fp8_tflops", 2 * peak_16bit)
        return replace(
            record,
            hbm_marketed_bytes=hbm_bytes,
            hbm_bytes_per_s=figure("hbm_gb_per_s", usual.hbm_bytes_per_s),
            peak_16bit_flops_per_s=peak_16bit,
            peak_8bit_flops_per_s=peak_8bit,
            peak_int8_flops_per_s=given(record.peak_int8_flops_per_s, peak_8bit),
            peak_4bit_flops_per_s=figure("fp4_tflops", 0.0),
            hbm_reported_bytes=given(record.hbm_reported_bytes, hbm_bytes),
            link_bytes_per_s=figure("link_gb_per_s", usual.link_bytes_per_s),
        )


_FIGURES = numbers_of(HardwareInputs)
