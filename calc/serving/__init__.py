"""The batching lab's replay: a trace of requests through an engine whose passes cost what they do.

>>> from calc import Inputs
>>> from calc.serving.arrays import arrays
>>> from calc.serving.costs import costs
>>> from calc.serving.inputs import ServingInputs, mix, rules
>>> from calc.serving.replay import replay
>>> from calc.serving.requests import Requests, draw, source
>>> inputs, serving = Inputs(), ServingInputs(policy="static")
>>> requests = arrays(Requests, 40)
>>> draw(mix(inputs, serving), source(serving.seed), requests, 40)
>>> static = replay(rules(inputs, serving), costs(inputs.scenario()), requests)
>>> other = rules(inputs, ServingInputs(policy="continuous"))
>>> continuous = replay(other, costs(inputs.scenario()), requests)
>>> round(continuous.totals.tokens_per_s / static.totals.tokens_per_s, 2)
1.8

What goes in: `Rules` (how it serves), `Costs` (a few numbers of a scenario, made by
`costs.costs`), `Requests` (arrival_s, prompt_len, output_len: flat arrays, ordered by arrival;
`requests.draw` draws them, `trace.requests_of` and `trace_file` check those of one's own).
What comes out of `replay`: `requests` (slot, start_s, first_token_s, finish_s, longest_gap_s,
n_preemptions: arrays by request), `passes` (runs of passes that are alike, as `log.Passes` has
them: arrays of which the first `n_runs` count), `phases` (what each slot did, as `log.Phases` has
it, the first `n_phases`), `totals`. `replay.n_good` counts who kept
two limits. `stream` does the same for more requests than memory holds. The rules, and what they
leave out: docs/model.md.

All but `inputs`, `stream`, `trace` and `trace_file` is written in loops over flat arrays, so that
the page has the same functions, printed, and Numba compiles them.
"""
