"""What model is served: a published one, or one of your own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calc.architecture.sizes import gqa_stops, usual_architecture
from calc.formulas.moe import n_expert_params
from calc.inputs.declaration import OPEN, choice, number, record_of
from calc.presets.models import MODELS, OWN_MODELS, refusal_of_config
from calc.primitives import given, minimum
from calc.quantity import Value
from calc.scenario import Model
from calc.units import BILLION


@dataclass(frozen=True, kw_only=True)
class ModelInputs:
    """The model: its name, or what an own one is made of."""

    model: str | Model = choice(
        "Model",
        "7b-class",
        MODELS,
        names=f"{', '.join(OWN_MODELS)}, a name that `decode-arithmetic models` lists, or the text "
        "of a config.json",
        why=refusal_of_config,
        label="Model",
        doc="A published model. 7b-class and custom follow the parameters, g and the "
        "architecture below; any other model is what its config.json says.",
    )
    params_b: Value = number(
        "Model",
        7.0,
        (0.5, 1000),
        # Round steps with every published size among them.
        stops=(
            *(0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9),
            *(10, 12, 13, 15, 18, 20, 25, 27, 30, 34, 40, 50, 60, 70, 80, 90),
            *(100, 120, 150, 200, 250, 300, 350, 405, 500, 600, 700, 800, 900, 1000),
        ),
        unit="billion",
        symbol="N/10⁹",
        sets=("n_params",),
        factor=BILLION,
        label="Parameters",
        doc="Size of the model in billions of parameters. Layers and heads follow the "
        "published Llama-style models, in between interpolated.",
    )
    gqa: Value = number(
        "Model",
        4.0,
        (1, 128),
        whole=True,
        stops=tuple(gqa_stops(32)),
        symbol="g",
        sets=("full_n_kv_heads",),
        only={"kv_heads": OPEN},
        label="GQA group size, g",
        doc="How many query heads share one pair of key and value. 1 is multi-head "
        "attention (MHA); the cache shrinks by exactly g.",
    )
    layers: Value = number(
        "Model",
        OPEN,
        (1, 1000),
        whole=True,
        sets=("n_layers",),
        label="Layers",
        doc="Layers of an own model.",
    )
    heads: Value = number(
        "Model",
        OPEN,
        (1, 1024),
        whole=True,
        sets=("n_heads",),
        label="Query heads",
        doc="Query heads of an own model.",
    )
    kv_heads: Value = number(
        "Model",
        OPEN,
        (1, 1024),
        whole=True,
        sets=("full_n_kv_heads",),
        label="KV heads",
        doc="KV heads of an own model; heads / g unless given.",
    )
    d_head: Value = number(
        "Model",
        OPEN,
        (1, 1024),
        whole=True,
        sets=("full_d_head",),
        label="Head size",
        doc="Head size of an own model.",
    )
    d_model: Value = number(
        "Model",
        OPEN,
        (1, 2**17),
        whole=True,
        sets=("d_model",),
        label="Width",
        doc="Width of an own model; heads times head size unless given.",
    )
    vocab: Value = number(
        "Model",
        32000.0,
        (1, 2**20),
        whole=True,
        symbol="V",
        sets=("n_input_table",),
        label="Vocabulary",
        doc="Rows of an own model's embedding.",
    )
    active_b: Value = number(
        "Model",
        OPEN,
        (0.01, 1000),
        unit="billion",
        symbol="N_active/10⁹",
        sets=("n_active",),
        factor=BILLION,
        label="Active parameters",
        doc="Active parameters of an own MoE model; all, unless given. Needs experts.",
    )
    experts: Value = number(
        "Model",
        0.0,
        (0, 4096),
        whole=True,
        sets=("n_experts",),
        label="Experts",
        doc="Routed experts per layer; 0 = dense.",
    )
    top_k: Value = number(
        "Model",
        0.0,
        (0, 4096),
        whole=True,
        sets=("n_experts_per_token",),
        label="Experts per token",
        doc="Experts per token.",
    )

    def model_record(self) -> Model:
        """The record itself; where it is open, the inputs; where they are, the usual one."""
        record = record_of(MODELS, self.model)
        billions = self.params_b * BILLION
        usual_layers, usual_heads, usual_d_head = usual_architecture(billions)
        n_params = given(record.n_params, billions)
        n_layers = given(record.n_layers, given(self.layers, usual_layers))
        n_heads = given(record.n_heads, given(self.heads, usual_heads))
        full = record.full
        head = given(full.d_head, given(self.d_head, usual_d_head))
        width = given(record.d_model, given(self.d_model, n_heads * head))
        n_active = given(record.n_active, given(self.active_b * BILLION, n_params))
        n_experts = given(record.n_experts, self.experts)
        per_token = given(record.n_experts_per_token, self.top_k)
        in_experts = given(
            record.n_expert_params, n_expert_params(n_params, n_active, n_experts, per_token)
        )
        # A table larger than a quarter of what lies outside the experts would not be that model's.
        table = minimum(self.vocab * width, (n_params - in_experts) / 4)
        table = given(record.n_input_table, table)
        return replace(
            record,
            n_params=n_params,
            n_layers=n_layers,
            n_heads=n_heads,
            d_model=width,
            n_active=n_active,
            n_input_table=table,
            n_16bit=given(record.n_16bit, 2 * table),
            n_experts=n_experts,
            n_experts_per_token=per_token,
            n_expert_params=in_experts,
            full=replace(
                full,
                n_layers=given(full.n_layers, n_layers),
                n_kv_heads=given(full.n_kv_heads, given(self.kv_heads, n_heads / self.gqa)),
                d_head=head,
                decode_attention_width=given(full.decode_attention_width, 2 * n_heads * head),
                prefill_attention_width=given(full.prefill_attention_width, 2 * n_heads * head),
            ),
        )
