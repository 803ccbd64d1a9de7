"""What the project's replay says of the same requests, slots and memory: no token is computed.

Passes, rows and memory follow from the requests alone. Times need to know what a pass costs: that
is measured in the naive run, and nothing else is.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from calc import Inputs, evaluate
from calc.scenario import Assumptions, Gpu, KvFormat, Model, WeightFormat
from calc.serving.arrays import arrays
from calc.serving.costs import Costs, costs
from calc.serving.inputs import ServingInputs, mix, rules
from calc.serving.replay import replay
from calc.serving.requests import Requests, draw, source
from examples.toy_serving.engine import Pass
from examples.toy_serving.model import Transformer

#: Of a float64.
_BYTES = 8.0

#: So many that no time goes by: what a pass costs is in its overhead already.
_ENDLESS_BYTES_PER_S = 1e16


@dataclass(frozen=True)
class Setting:
    """What is served and with what; `pool` are the KV entries that there are."""

    requests: int = 120
    prompt: int = 24
    output: int = 24
    lengths: str = "bimodal"
    seed: int = 1
    slots: int = 24
    pool: int = 2048
    context: int = 256
    block: int = 16

    @property
    def inputs(self) -> Inputs:
        """What of it `report` knows, too."""
        inputs = Inputs(context=self.context, prompt=self.prompt, output=self.output)
        return inputs.validate()

    def serving(self, allocator: str = "paged", policy: str = "continuous") -> ServingInputs:
        """The same in the words of `decode-arithmetic simulate`; nothing of the pool stays free."""
        return ServingInputs(
            policy=policy,
            allocator=allocator,
            slots=float(self.slots),
            requests=float(self.requests),
            lengths=self.lengths,
            block=float(self.block),
            watermark=0.0,
            seed=float(self.seed),
        )

    def drawn(self) -> Requests:
        """The requests: lengths as `simulate` draws them, and all are there at once."""
        requests, serving = arrays(Requests, self.requests), self.serving()
        draw(mix(self.inputs, serving), source(serving.seed), requests, self.requests)
        return requests


class PassCost(NamedTuple):
    """Time of a pass: so much whoever is in it, to fetch the weights, and so much for each row.

    A GPU does both at once, and takes as long as the slower; one core does one after the other.
    """

    pass_s: float
    row_s: float


def pass_cost(passes: list[Pass]) -> PassCost:
    """What passes cost by a run in which decode has few rows and prefill many.

    The median step is one point, the median prefill the slope: a pass that was disturbed moves
    neither. A ValueError says where there is nothing to measure.
    """
    steps = [each for each in passes if each.n_decoding > 0]
    if steps:
        n_rows = median(each.n_decoding + each.n_padding for each in steps)
        step_s = median(each.took_s for each in steps)
        slopes = [
            (each.took_s - step_s) / (each.prefilled_tokens - n_rows)
            for each in passes
            if each.prefilled_tokens > 2 * n_rows
        ]
        if slopes and 0 < median(slopes) < step_s / n_rows:
            return PassCost(step_s - n_rows * median(slopes), median(slopes))
    raise ValueError(
        "the naive run does not show what a row costs: take longer prompts, and answers of more "
        "than a token"
    )


def toy_costs(setting: Setting, model: Transformer, cost: PassCost) -> Costs:
    """The toy's model and pool, on a machine whose passes cost what is said."""
    sizes, n_params = model.sizes, model.n_params
    entry_bytes = 2 * sizes.n_layers * sizes.n_kv_heads * sizes.d_head * _BYTES
    inputs = Inputs(
        model=Model.dense(n_params, sizes.n_layers, sizes.n_heads, sizes.n_kv_heads, sizes.d_head),
        gpu=Gpu(
            hbm_marketed_bytes=n_params * _BYTES + setting.pool * entry_bytes,
            hbm_bytes_per_s=_ENDLESS_BYTES_PER_S,
            # The one rate that there is.
            peak_16bit_flops_per_s=2 * n_params / cost.row_s,
            peak_8bit_flops_per_s=0.0,
        ),
        weights=WeightFormat(bytes_per_weight=_BYTES, math_bits=16.0),
        kv=KvFormat(bytes_per_kv=_BYTES),
        assumptions=Assumptions(step_overhead_s=cost.pass_s, batched_tokens=setting.pool),
    )
    return costs(inputs.scenario())


def gpu_costs(setting: Setting) -> Costs:
    """As many KV entries, but the serving lesson's 7B model on its H100."""
    scenario = Inputs(assumptions=Assumptions(batched_tokens=setting.pool)).scenario()
    pool_bytes = setting.pool * evaluate(scenario).kv_bytes_per_token
    return costs(scenario)._replace(pool_bytes=float(pool_bytes))


def predicted(setting: Setting, costs: Costs, allocator: str, policy: str) -> list[Pass]:
    """The passes of the replay."""
    how = rules(setting.inputs, setting.serving(allocator, policy))
    found = replay(how, costs, setting.drawn(), longest_run=1.0)
    passes = found.passes
    return [
        Pass(
            n_decoding=int(passes.n_decoding[at]),
            n_padding=int(passes.n_padding[at]),
            prefilled_tokens=int(passes.prefilled_tokens[at]),
            tokens_held=int(passes.tokens_held[at]),
            reserved_entries=int(passes.blocks_held[at] * how.block_len),
            took_s=passes.end_s[at] - passes.start_s[at],
        )
        for at in range(found.n_runs)
    ]
