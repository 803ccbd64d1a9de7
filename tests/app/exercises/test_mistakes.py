"""Files of exercises that are wrong: each mistake is told, where it is and what is allowed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from app.contract import VEILED
from app.exercises.answers import answer
from app.exercises.read import LARGEST_FILE, ExerciseError, read_course
from app.exercises.told import TOLD_BY
from calc import Report
from calc.presets.formats import WEIGHT_FORMATS

EXERCISE = """
[[exercise]]
id = "one"
title = "One"
question = "How many times as fast?"
setup = { batch = 1 }
[exercise.prediction]
kind = "number"
metric = "tokens_per_s"
then = { weights = "int4" }
options = [1, 2, 3.3, 4]
[exercise.explain]
always = "{before.weight_bytes}"
"""

KNOB = """
[[exercise]]
id = "two"
title = "Two"
question = "Which?"
[exercise.prediction]
kind = "knob"
metric = "tokens_per_s"
best = "max"
[[exercise.prediction.option]]
id = "weights"
label = "int4"
then = { weights = "int4" }
[[exercise.prediction.option]]
lever = "kv_8bit"
[exercise.explain]
always = "{best.tokens_per_s}"
"""

CHOICE = """
[[exercise]]
id = "three"
title = "Three"
question = "What binds?"
[exercise.prediction]
kind = "choice"
metric = "bound"
[[exercise.prediction.option]]
id = "memory"
label = "Memory"
is = "memory"
[[exercise.prediction.option]]
id = "compute"
label = "Arithmetic"
is = "compute"
[exercise.explain]
always = "So it is."
"""

CLEARING = """
[clearing]
title = "Test"
text = "Three questions."
drawn = 1
[[clearing.question]]
id = "lever"
title = "Lever"
question = "Which?"
[clearing.question.prediction]
kind = "knob"
metric = "served_tokens_per_s"
best = "max"
option = [{ lever = "batch" }, { lever = "weights_4bit" }]
[clearing.question.explain]
always = "{best.served_tokens_per_s}"
[[clearing.question]]
id = "gain"
title = "Gain"
question = "By how much?"
[clearing.question.prediction]
kind = "number"
metric = "served_tokens_per_s"
best_of = "lever"
tolerance = 0.2
[clearing.question.explain]
always = "{after/before.served_tokens_per_s}"
[[clearing.deployment]]
id = "desk"
label = "A desk"
text = "One reader."
setup = { batch = 1 }
"""

REPLAY = """
[[exercise]]
id = "four"
title = "Four"
text = "Its slots are busy {before.slot_utilisation} of the time."
question = "Which share of the time is left?"
setup = { policy = "static", slots = 2, requests = 8, output = 20 }
[exercise.prediction]
kind = "number"
metric = "makespan_s"
then = { policy = "continuous" }
options = [0.6, 0.9]
[exercise.explain]
always = "{after.itl_p99_s} and {after.weight_bytes}"
"""

FILE = EXERCISE + KNOB + CHOICE + REPLAY + CLEARING

INPUTS = "`decode-arithmetic inputs` lists them all"
FIRST_QUANTITY = fields(Report)[0].name
FOLLOWS = "it follows from {}, which the reader is told before"
FEWER = (
    "at most {} of these are replayed while a reader waits; "
    "ask for fewer, shorter answers, larger blocks or larger chunks"
)

#: What every other door takes.
OWN_MODEL = (
    '{"model_type": "llama", "hidden_size": 1024, "intermediate_size": 2816, "vocab_size": 32000, '
    '"num_hidden_layers": 8, "num_attention_heads": 16}'
)

#: What stands in the right file, what is written instead, and what is said.
MISTAKES = {
    "no id": (
        'id = "one"\n',
        "",
        "exercise 1: id: it is missing; allowed is a-z and 0-9, with single dashes between them",
    ),
    "id": (
        'id = "one"',
        'id = "One more"',
        "exercise One more: id=One more: allowed is a-z and 0-9, with single dashes between them",
    ),
    "id twice": (
        'id = "two"',
        'id = "one"',
        "exercise one: its id is given 2 times: each has its own",
    ),
    "no title": (
        'title = "One"\n',
        "",
        "exercise one: title: it is missing; allowed is a text of 1 to 60 characters",
    ),
    "empty text": (
        'title = "One"',
        'title = " "',
        "exercise one: title= : allowed is a text of 1 to 60 characters",
    ),
    "a number for a text": (
        'title = "One"',
        "title = 1",
        "exercise one: title=1: allowed is a text of 1 to 60 characters",
    ),
    "field": (
        'title = "One"',
        'title = "One"\nshow = ["meter"]',
        "exercise one: show: there is no such field; did you mean shown? there are id, title, "
        "chapter, text, question, setup, shown, hints, term, prediction, also, task, teaser, "
        "further, explain",
    ),
    "a word for yes": (
        'title = "One"',
        'title = "One"\nfurther = "yes"',
        "exercise one: further=yes: allowed is true or false",
    ),
    "input": (
        "{ batch = 1 }\n[exercise",
        "{ bach = 1 }\n[exercise",
        f"exercise one: setup: bach: there is no such input; did you mean batch? {INPUTS}",
    ),
    "input's value": (
        "{ batch = 1 }\n[exercise",
        "{ batch = 0 }\n[exercise",
        "exercise one: setup: batch=0: allowed is a whole number from 1 to 1,024",
    ),
    "a number as a text": (
        "{ batch = 1 }\n[exercise",
        '{ batch = "8" }\n[exercise',
        'exercise one: setup: batch="8": allowed is a whole number from 1 to 1,024',
    ),
    "as many as one likes": (
        'metric = "tokens_per_s"\nthen = { weights = "int4" }',
        'metric = "output_tokens_per_usd"\nthen = { usd_per_gpu_hour = 0 }',
        "exercise one: prediction: output_tokens_per_usd: "
        "the GPUs are free, so a dollar buys as many as one likes",
    ),
    "input of another kind": (
        "{ batch = 1 }\n[exercise",
        "{ batch = true }\n[exercise",
        "exercise one: setup: batch=True: allowed is a whole number from 1 to 1,024",
    ),
    "rule": (
        "{ batch = 1 }\n[exercise",
        "{ gqa = 5 }\n[exercise",
        "exercise one: setup: gqa=5: allowed is a divisor of the 32 query heads: "
        "1, 2, 4, 8, 16 or 32",
    ),
    "rule, of both together": (
        'then = { weights = "int4" }\noptions',
        'then = { model = "llama-3-8b", gqa = 8 }\noptions',
        "exercise one: prediction: then: gqa: Llama 3 / 3.1 8B has its own",
    ),
    "set-up": (
        "setup = { batch = 1 }\n[exercise",
        "setup = 1\n[exercise",
        "exercise one: setup=1: allowed is inputs, such as { batch = 64 }",
    ),
    "shown": (
        'title = "One"',
        'title = "One"\nshown = ["metre"]',
        "exercise one: shown=metre: did you mean meter? allowed is a list of some of "
        "kv_bytes_per_token, tokens_per_s, tokens_per_s_per_user, kv_bytes, ttft_s, "
        "decode_flops_per_byte, meter, throughput, memory, roofline, steptime",
    ),
    "shown that is asked for": (
        '[exercise.prediction]\nkind = "number"\nmetric = "tokens_per_s"\n'
        'then = { weights = "int4" }\noptions = [1, 2, 3.3, 4]\n',
        'shown = ["kv_bytes"]\n[exercise.prediction]\nkind = "number"\nmetric = "kv_bytes"\n'
        'unit = "GB"\noptions = [1, 2]\n',
        "exercise one: shown: kv_bytes tells kv_bytes, which is asked for",
    ),
    "term": (
        'title = "One"',
        'title = "One"\nterm = "KV cash"',
        "exercise one: term=KV cash: did you mean KV cache? allowed is a name such as acceptance",
    ),
    "hints": (
        'title = "One"',
        'title = "One"\nhints = "Think."',
        "exercise one: hints=Think.: allowed is a list of texts",
    ),
    "no prediction": (
        CHOICE[CHOICE.index("[exercise.prediction]") : CHOICE.index("[exercise.explain]")],
        "",
        "exercise three: prediction: it is missing; allowed is a table, [prediction]",
    ),
    "kind": (
        'kind = "number"\nmetric = "tokens_per_s"',
        'kind = "numbr"\nmetric = "tokens_per_s"',
        "exercise one: prediction: kind=numbr: did you mean number? "
        "allowed is one of number, direction, choice, knob, order",
    ),
    "metric": (
        'metric = "tokens_per_s"\nthen',
        'metric = "tokens"\nthen',
        "exercise one: prediction: metric=tokens: did you mean tokens_per_s or "
        "tokens_per_s_per_gpu or tokens_per_s_per_user? "
        f"allowed is a name such as {FIRST_QUANTITY}",
    ),
    "word as a number": (
        'metric = "tokens_per_s"\nthen',
        'metric = "bound"\nthen',
        f"exercise one: prediction: metric=bound: allowed is a name such as {FIRST_QUANTITY}",
    ),
    "no unit": (
        'metric = "tokens_per_s"\nthen = { weights = "int4" }\n',
        'metric = "kv_bytes"\n',
        "exercise one: prediction: unit: it is missing; "
        "allowed is one of TB, GB, MB, bytes, TiB, GiB, MiB",
    ),
    "no tolerance": (
        "options = [1, 2, 3.3, 4]\n",
        "",
        "exercise one: prediction: tolerance: it is missing; allowed is a number from 0 to 0.5",
    ),
    "tolerance": (
        "options = [1, 2, 3.3, 4]",
        "tolerance = 15",
        "exercise one: prediction: tolerance=15: allowed is a number from 0 to 0.5",
    ),
    "options": (
        "options = [1, 2, 3.3, 4]",
        "options = [4, 2, 1]",
        "exercise one: prediction: options=[4, 2, 1]: "
        "allowed is two or more numbers above 0, ascending",
    ),
    "midway": (
        "options = [1, 2, 3.3, 4]",
        "options = [3, 3.62]",
        "exercise one: prediction: 3.296 lies midway between the options 3 and 3.62",
    ),
    "best": (
        'best = "max"\n[[',
        'best = "most"\n[[',
        "exercise two: prediction: best=most: allowed is one of max, min",
    ),
    "one option": (
        '[[exercise.prediction.option]]\nlever = "kv_8bit"\n',
        "",
        "exercise two: prediction: option: one is no choice: give two or more",
    ),
    "lever": (
        'lever = "kv_8bit"\n',
        'lever = "kv_4bit"\n',
        "exercise two: prediction: option 2: lever=kv_4bit: did you mean kv_8bit? "
        "allowed is one of batch, gqa, kv_8bit, weights_8bit, weights_4bit, speculation, "
        "bandwidth, peak, gpu, prefix, price",
    ),
    "option's change": (
        'then = { weights = "int4" }\n[[',
        'then = { weights = "int3" }\n[[',
        "exercise two: prediction: option weights: then: weights=int3: did you mean int8 or int4? "
        f"allowed is one of {', '.join(WEIGHT_FORMATS)}",
    ),
    "option that changes nothing": (
        'then = { weights = "int4" }\n[[',
        'then = { weights = "bf16" }\n[[',
        "exercise two: prediction: option weights: it changes nothing in this set-up",
    ),
    "option twice": (
        'lever = "kv_8bit"',
        'id = "weights"\nlever = "kv_8bit"',
        "exercise two: prediction: option weights: its id is given 2 times: each has its own",
    ),
    "label twice": (
        'lever = "kv_8bit"',
        'lever = "kv_8bit"\nlabel = "int4"',
        "exercise two: prediction: option: the label int4 is given 2 times",
    ),
    "equally good": (
        'lever = "kv_8bit"',
        'id = "g"\nlabel = "g"\nthen = { weights = "int8-wo" }\n'
        '[[exercise.prediction.option]]\nid = "h"\nlabel = "h"\nthen = { weights = "int4" }',
        "exercise two: prediction: the options weights and h are equally good",
    ),
    "word": (
        'is = "compute"',
        'is = "computing"',
        "exercise three: prediction: option compute: is=computing: did you mean compute? "
        "allowed is one of memory, compute, comms, overhead, yes, no",
    ),
    "no option is right": (
        'is = "memory"',
        'is = "comms"',
        "exercise three: prediction: bound is memory: no option says so",
    ),
    "no explanation": (
        'always = "So it is."\n',
        "",
        "exercise three: explain: always: it is missing; "
        "allowed is a text of 1 to 2,000 characters",
    ),
    "outcome": (
        'always = "So it is."',
        'always = "So it is."\nmemry = "Yes."',
        "exercise three: explain: memry: there is no such field; did you mean memory? "
        "there are always, right, wrong, memory, compute",
    ),
    "set-up in a text": (
        "{before.weight_bytes}",
        "{later.weight_bytes}",
        "exercise one: explain.always: {later.weight_bytes}: the set-ups here are after, before",
    ),
    "quantity in a text": (
        "{before.weight_bytes}",
        "{before.weights_bytes}",
        "exercise one: explain.always: {before.weights_bytes}: there is no such quantity; "
        "did you mean weight_bytes or weight_bytes_read or bytes_per_weight?",
    ),
    "options that are alike": (
        "options = [1, 2, 3.3, 4]",
        "options = [1, 2, 3.3, 3.3000000001]",
        "exercise one: prediction: options=[1, 2, 3.3, 3.3000000001]: "
        "allowed is two or more numbers above 0, ascending",
    ),
    "options next to nothing": (
        "options = [1, 2, 3.3, 4]",
        "options = [5e-324, 1e308]",
        "exercise one: prediction: options=[5e-324, 1e+308]: "
        "allowed is two or more numbers above 0, ascending",
    ),
    "an option with the name of a set-up": (
        'id = "weights"',
        'id = "before"',
        "exercise two: prediction: option: id=before: texts use this name for something else",
    ),
    "two of the same word": (
        'is = "compute"',
        'is = "memory"',
        "exercise three: prediction: option: two have the same `is`: one of them is never right",
    ),
    "a word in a ratio": (
        "{before.weight_bytes}",
        "{after/before.bound}",
        "exercise one: explain.always: {after/before.bound}: a word is in no ratio",
    ),
    "a ratio of nothing": (
        "{before.weight_bytes}",
        "{after/before.draft_bytes}",
        "exercise one: explain.always: {after/before.draft_bytes}: here it is 0 over 0",
    ),
    "a form of its own": (
        "{before.weight_bytes}",
        "{before.weight_bytes:.2f}",
        "exercise one: explain.always: {before.weight_bytes} has a : or ! behind it: "
        "the unit decides how it is shown",
    ),
    "a conversion": (
        'question = "How many times as fast?"',
        'question = "{before.n_layers!r:>99999999} times?"',
        "exercise one: question: {before.n_layers} has a : or ! behind it: "
        "the unit decides how it is shown",
    ),
    "a part that tells what is asked for": (
        '[exercise.prediction]\nkind = "number"\nmetric = "tokens_per_s"\n'
        'then = { weights = "int4" }\noptions = [1, 2, 3.3, 4]\n',
        'shown = ["meter"]\n[exercise.prediction]\nkind = "number"\nmetric = "max_batch"\n'
        "options = [1, 60]\n",
        "exercise one: shown: meter tells max_batch, which is asked for",
    ),
    "a part from which it follows": (
        '[exercise.prediction]\nkind = "number"\nmetric = "tokens_per_s"\n'
        'then = { weights = "int4" }\noptions = [1, 2, 3.3, 4]\n',
        'shown = ["tokens_per_s_per_user"]\n[exercise.prediction]\nkind = "number"\n'
        'metric = "tokens_per_s"\noptions = [1, 60]\n',
        f"exercise one: prediction: metric=tokens_per_s: {FOLLOWS.format('tokens_per_s_per_user')}",
    ),
    "a text from which it follows": (
        'question = "How many times as fast?"\nsetup = { batch = 1 }\n[exercise.prediction]\n'
        'kind = "number"\nmetric = "tokens_per_s"\nthen = { weights = "int4" }\n'
        "options = [1, 2, 3.3, 4]",
        'question = "{before.step_s}?"\nsetup = { batch = 4 }\n[exercise.prediction]\n'
        'kind = "number"\nmetric = "tokens_per_s"\noptions = [1, 60]',
        f"exercise one: prediction: metric=tokens_per_s: {FOLLOWS.format('batch and step_s')}",
    ),
    "a text from which a replay follows": (
        REPLAY.partition("text = ")[2],
        """"In {before.makespan_s}."
question = "{before.output_tokens}, how fast?"
setup = { policy = "static", slots = 2, requests = 8, output = 20 }
[exercise.prediction]
kind = "number"
metric = "tokens_per_s"
options = [1, 2000]
[exercise.explain]
always = "{before.itl_p99_s}"
""",
        "exercise four: prediction: metric=tokens_per_s: "
        + FOLLOWS.format("output_tokens and makespan_s"),
    ),
    "braces": (
        "{before.weight_bytes}",
        "{before.weight_bytes",
        "exercise one: explain.always: write {{ and }} for braces that are no place",
    ),
    "told too early": (
        'question = "How many times as fast?"',
        'question = "How many times {before.tokens_per_s}?"',
        "exercise one: question: it tells tokens_per_s before the prediction is locked in",
    ),
    "the answer in the question": (
        'question = "How many times as fast?"',
        'question = "Not {after.weight_bytes}?"',
        "exercise one: question: {after.weight_bytes}: the set-ups here are before",
    ),
    "a replay without a policy": (
        "{ batch = 1 }\n[exercise",
        "{ batch = 1, slots = 4 }\n[exercise",
        "exercise one: setup: slots: only what `setup` gives a policy is replayed",
    ),
    "a policy that comes later": (
        'then = { weights = "int4" }\noptions',
        'then = { policy = "static" }\noptions',
        "exercise one: prediction: then: policy: only what `setup` gives a policy is replayed",
    ),
    "policy": (
        'policy = "static"',
        'policy = "statik"',
        "exercise four: setup: policy=statik: did you mean static? "
        "allowed is one of static, continuous, chunked, disaggregated",
    ),
    "a setting of the replay": (
        "slots = 2,",
        "slots = 257,",
        "exercise four: setup: slots=257: allowed is a whole number from 1 to 256",
    ),
    "a setting of `simulate` that the lab has not": (
        "slots = 2,",
        "slot = 2,",
        f"exercise four: setup: slot: there is no such input; did you mean slots? {INPUTS}",
    ),
    "a request longer than the context": (
        "output = 20 }",
        "output = 8000 }",
        "exercise four: setup: prompt=512 and output=8000 are longer than context=8192, "
        "the longest sequence that is served",
    ),
    "a replay to wait for": (
        "requests = 8, output = 20",
        "requests = 40, output = 102400, context = 200000",
        f"exercise four: setup: requests=40: {FEWER.format(39)}",
    ),
    "prompts in pieces to wait for": (
        """output = 20 }
[exercise.prediction]
kind = "number"
metric = "makespan_s"
then = { policy = "continuous" }""",
        """output = 20, prompt = 8000, chunk = 1 }
[exercise.prediction]
kind = "number"
metric = "makespan_s"
then = { policy = "chunked", slots = 8 }""",
        f"exercise four: prediction: then: requests=8: {FEWER.format(3)}",
    ),
    # The lab has the question's replay with the other's chunks.
    "prompts in pieces to wait for beside each other": (
        """policy = "static", slots = 2, requests = 8, output = 20 }
[exercise.prediction]
kind = "number"
metric = "makespan_s"
then = { policy = "continuous" }""",
        """policy = "chunked", slots = 64, requests = 8, output = 20, prompt = 8000 }
[exercise.prediction]
kind = "number"
metric = "makespan_s"
then = { policy = "continuous", chunk = 4 }""",
        f"exercise four: prediction: then: requests=8: {FEWER.format(1)}",
    ),
    "a replay with guesses": (
        "output = 20 }",
        "output = 20, spec_k = 4 }",
        "exercise four: setup: spec_k: the replay decodes without speculation, leave this key out",
    ),
    "a replay of what never fits": (
        "output = 20 }",
        "output = 20, params_b = 39.99 }",
        "exercise four: prediction: a request can never fit beside the weights",
    ),
    "a replay of nothing to measure": (
        'metric = "makespan_s"\nthen = { policy = "continuous" }',
        'metric = "itl_p99_s"\nthen = { output = 1, lengths = "fixed" }',
        "exercise four: prediction: itl_p99_s is no finite number here",
    ),
    "a total": (
        'metric = "makespan_s"',
        'metric = "makespan"',
        "exercise four: prediction: metric=makespan: did you mean makespan_s? "
        "allowed is a name such as n_finished",
    ),
    "a report's quantity of a replay": (
        'metric = "makespan_s"',
        'metric = "step_s"',
        "exercise four: prediction: metric=step_s: did you mean n_steps? "
        "allowed is a name such as n_finished",
    ),
    "a total of what is not replayed": (
        "{before.weight_bytes}",
        "{before.makespan_s}",
        "exercise one: explain.always: {before.makespan_s}: there is no such quantity; "
        "docs/names.md lists them",
    ),
    "the widget beside a replay": (
        'title = "Four"',
        'title = "Four"\nshown = ["meter"]',
        "exercise four: shown: beside a replay nothing of the widget is there, leave it out",
    ),
    "a step that the lab has not": (
        '[exercise.explain]\nalways = "{after.itl',
        '[[exercise.task]]\nsay = "Go on."\nreach = { slots = 0 }\n'
        '[exercise.explain]\nalways = "{after.itl',
        "exercise four: task 1: reach: slots=0: allowed is a whole number from 1 to 256",
    ),
    "a replay in the test": (
        'text = "One reader."\nsetup = { batch = 1 }',
        'text = "One reader."\nsetup = { policy = "static" }',
        "clearing: deployment desk: setup: policy: the test asks of single scenarios, leave it out",
    ),
    "task": (
        '[exercise.explain]\nalways = "So',
        '[[exercise.task]]\nsay = "Go on."\n[exercise.explain]\nalways = "So',
        "exercise three: task 1: reach: it is missing; allowed is inputs, such as { batch = 64 }",
    ),
    "drawn": (
        "drawn = 1",
        "drawn = 2",
        "clearing: drawn=2: allowed is a whole number from 1 to 1",
    ),
    "drawn in parts": (
        "drawn = 1",
        "drawn = 0.5",
        "clearing: drawn=0.5: allowed is a whole number from 1 to 1",
    ),
    "best of what": (
        'best_of = "lever"',
        'best_of = "levr"',
        "clearing: question gain: prediction: best_of=levr: did you mean lever? "
        "allowed is one of lever",
    ),
    "a model that is none of the names": (
        'text = "One reader."\nsetup = { batch = 1 }',
        f"text = \"One reader.\"\nsetup = {{ model = '{OWN_MODEL}' }}",
        "clearing: deployment desk: setup: model: an exercise takes one by its name",
    ),
    "deployment": (
        'text = "One reader."\nsetup = { batch = 1 }',
        'text = "One reader."\nsetup = { batch = 1024 }',
        "clearing: deployment desk: option batch: batch=2048: "
        "allowed is a whole number from 1 to 1,024",
    ),
}


def mistakes(text: str) -> list[str]:
    with pytest.raises(ExerciseError) as caught:
        read_course(text.encode())
    assert str(caught.value) == "\n".join(caught.value.mistakes)
    return list(caught.value.mistakes)


def test_the_file_without_a_mistake():
    course = read_course(FILE.encode())
    assert [each.id for each in course.exercises] == ["one", "two", "three", "four"]
    assert course.clearing.drawn == 1


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told(name):
    there, instead, said = MISTAKES[name]
    assert FILE.count(there) == 1
    assert mistakes(FILE.replace(there, instead)) == [said]


def test_what_each_part_tells_is_a_quantity_of_the_report():
    assert TOLD_BY.keys() == {*VEILED}
    assert {name for names in TOLD_BY.values() for name in names} <= {
        each.name for each in fields(Report)
    }


def test_to_multiply_what_the_set_up_says_is_left_to_the_reader():
    text = FILE.replace(
        'question = "How many times as fast?"\nsetup = { batch = 1 }',
        'question = "{before.context_len} in the cache?"\nsetup = { batch = 1 }\n'
        'shown = ["kv_bytes_per_token"]',
    ).replace(
        'metric = "tokens_per_s"\nthen = { weights = "int4" }\noptions = [1, 2, 3.3, 4]',
        'metric = "kv_bytes"\nunit = "GB"\noptions = [1, 2]',
    )
    assert answer(read_course(text.encode()).exercises[0]).right == ("1",)


def test_an_id_may_be_a_name_that_every_object_of_the_page_has():
    text = FILE.replace('id = "three"', 'id = "constructor"')
    text = text.replace('id = "compute"', 'id = "constructor"')
    *_, exercise, _ = read_course(text.encode()).exercises
    assert [exercise.id, exercise.prediction.options[1].id] == ["constructor", "constructor"]


def test_an_option_that_is_a_number_may_have_its_own_remark():
    text = FILE.replace('always = "{before.weight_bytes}"', 'always = "All."\n"3.3" = "So it is."')
    assert read_course(text.encode()).exercises[0].explain["3.3"] == "So it is."
    (found,) = mistakes(text.replace('"3.3"', '"3.4"'))
    assert found.startswith("exercise one: explain: 3.4: there is no such field")


def test_all_mistakes_at_once():
    text = FILE
    names = ("id twice", "input", "best", "word", "quantity in a text", "drawn")
    for name in names:
        there, instead, _ = MISTAKES[name]
        text = text.replace(there, instead)
    found = mistakes(text)
    assert len(found) == len(names)
    for name in names:
        rest = MISTAKES[name][2].partition(": ")[2]
        assert any(each.endswith(rest) for each in found), rest


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "exercise: it is missing; allowed is tables, [[exercise]]"),
        (b"exercise = 1", "exercise=1: allowed is tables, [[exercise]]"),
        (b"exercise = []", "exercise=[]: allowed is tables, [[exercise]]"),
        (b"\xff", "the file is no text in UTF-8"),
        (b"[[", "the file is no TOML: Invalid initial character"),
        (b"x = " + b"[" * 5000, "the file has brackets within brackets, too deep to read"),
        (b" " * (LARGEST_FILE + 1), "the file is larger than 500,000 bytes"),
    ],
)
def test_a_file_that_is_none(content, said):
    (found,) = mistakes_of(content)
    assert found.startswith(said)


#: What may stand anywhere in a TOML file.
ODD = ("-1", "nan", "1e400", "1" * 400, "true", "1979-05-27", "[[]]", "{ x = 1 }", '"\\u202e{"')


class Odd(str):
    """A value that is written already."""


def written(value: Any) -> str:
    """A value as TOML, in one line."""
    if isinstance(value, Odd):
        return value
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {written(it)}' for key, it in value.items()) + " }"
    return f"[{', '.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


def with_something_odd(value: Any, odd: str) -> Iterator[Any]:
    """A structure with each of its values replaced by turns."""
    if not isinstance(value, dict | list):
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        for other in [Odd(odd), *with_something_odd(inner, odd)]:
            changed = value.copy()
            changed[key] = other
            yield changed


@pytest.mark.parametrize("odd", ODD)
def test_whatever_stands_in_a_field_is_read_or_told(odd):
    for data in with_something_odd(tomllib.loads(FILE), odd):
        text = "\n".join(f"{key} = {written(value)}" for key, value in data.items())
        for sentence in told(text):
            assert sentence.isprintable()
            assert len(sentence) < 500


YES_OR_NO = CHOICE.replace('"bound"', '"math_falls_back"')
YES_OR_NO = YES_OR_NO.replace('is = "memory"', 'is = "no"').replace('is = "compute"', 'is = "yes"')


def test_a_yes_or_no_is_a_word_whatever_holds_it():
    [exercise] = read_course(YES_OR_NO.encode()).exercises
    assert answer(exercise).right == ("memory",)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("a = " + "9" * 5000, "the file has a number of thousands of digits"),
        ("a." * 40 + "a = 1", "the file has a key of more than 30 parts"),
        ("[" + "a . " * 40 + "a]", "the file has a key of more than 30 parts"),
        ('"a b".' * 40 + "a = 1", "the file has a key of more than 30 parts"),
        ("x = { " + "'a b' . " * 40 + "a = 1 }", "the file has a key of more than 30 parts"),
    ],
)
def test_what_would_take_long_or_end_elsewhere_is_told(text, start):
    [sentence] = mistakes_of(text.encode())
    assert sentence.startswith(start)


def test_a_long_file_without_keys_is_read_at_once():
    # Looked at from each letter on, these would take half a minute.
    [sentence] = mistakes_of(b"# " + b"a" * 400_000)
    assert sentence.startswith("exercise: it is missing")


@pytest.mark.parametrize("text", ["A\\u001b[2J", "A\\u0007", "A\\u0000B", "A\\u009b31m"])
def test_control_characters_are_no_text(text):
    changed = CHOICE.replace('label = "Memory"', f'label = "{text}"')
    assert changed != CHOICE
    [sentence] = mistakes_of(changed.encode())
    assert "a text of 1 to" in sentence


def test_of_thousands_of_mistakes_a_hundred_are_told():
    with pytest.raises(ExerciseError) as caught:
        read_course(b"[[exercise]]\n" * 2000)
    *told, last = str(caught.value).splitlines()
    assert len(told) == 100
    assert last == f"and {len(caught.value.mistakes) - 100:,} more"


def test_a_mark_of_byte_order_is_no_text():
    assert read_course(b"\xef\xbb\xbf" + EXERCISE.encode()).exercises[0].id == "one"


def told(text: str) -> tuple[str, ...]:
    """The mistakes of a file, if it has any."""
    try:
        read_course(text.encode())
    except ExerciseError as error:
        return error.mistakes
    return ()


def mistakes_of(content: bytes) -> tuple[str, ...]:
    with pytest.raises(ExerciseError) as caught:
        read_course(content)
    return caught.value.mistakes
