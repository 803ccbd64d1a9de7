"""The page as a machine: whatever readers and lessons do, in any order, its state stays sound."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, Frame

from app.controls import CONTROLS
from calc import evaluate, scenario
from calc.inputs.table import CHOICES, INPUTS, MODEL_KEYS, NUMBERS
from calc.presets.assumptions import ASSUMPTION_NAMES
from calc.presets.models import OWN_MODELS
from tests.helpers.hostile import fuzz, kinds
from tests.helpers.widget import Widget

STEPS = 40
MOVES_PER_FRAME = 50
SLIDERS = [key for key, kind in CONTROLS.items() if kind == "slider"]

HOST = """<!DOCTYPE html><html lang="en"><title>A lesson</title><link rel="icon" href="data:,">
<style>body { margin: 0 } iframe { width: 100%; height: 1400px; border: 0 }</style>
<iframe title="The page" src="index.html"></iframe><script>
  window.heard = [];
  addEventListener("message", event => heard.push(event.data));
  window.say = message => frames[0].postMessage(
    {source: "decode-arithmetic", version: 1, ...message}, "*");
</script></html>"""

#: Tells of the store, as soon as somebody listens to it; nothing else of the page is changed.
CATCH = """{
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (...given) {
    if ("report" in this && "home" in this) window.store ??= this;
    return listen.apply(this, given);
  };
}"""

#: Judges each state at the moment of its change, and all that is shown when it is asked.
JUDGE = """async () => {
  const {modules} = await pageModules();
  const {complaint} = modules["core/complaint.mjs"], arithmetic = modules["built/arithmetic.mjs"];
  const {fromAddress, query} = modules["core/address.mjs"];
  const {defaultSettings} = modules["core/settings.mjs"];
  const {inputText} = modules["core/words/format.mjs"];
  const {readouts} = modules["core/words/readouts.mjs"];
  const same = (one, other) => Object.keys(one).length === Object.keys(other).length &&
    Object.keys(one).every(key => Object.is(one[key], other[key]));
  const {evaluate, quantities} = arithmetic;
  const listed = report =>
    Object.fromEntries(Object.keys(quantities).map(name => [name, report[name]]));
  window.wrong = [];
  function judge() {
    const said = complaint(store.state, [])?.sentence;
    if (said) wrong.push(said);
    const {report} = store, due = evaluate(store.state);
    if (!same(listed(report), listed(due)) || !same(report.inputs, due.inputs)) {
      wrong.push("a report of another state");
    }
  }
  store.addEventListener("change", judge);
  judge();
  // What is out of sight may wait for the end of a move.
  const seen = new Set();
  const sight = new IntersectionObserver(entries => {
    for (const {target, isIntersecting} of entries) seen[isIntersecting ? "add" : "delete"](target);
  });
  for (const card of document.querySelectorAll("[data-readout]")) sight.observe(card);
  window.shown = python => {
    const {state, report} = store, found = [...wrong];
    // What is another number in Python is Python's here.
    const texts = readouts(state, {...listed(report), inputs: report.inputs, ...python});
    for (const place of document.querySelectorAll("[data-readout] [data-text]")) {
      const {text} = place.dataset, due = texts[text];
      if (!(text in texts) || place.textContent === due) continue;
      if (store.moving && !seen.has(place.closest("[data-readout]"))) continue;
      found.push(`${text} is ${place.textContent}, not ${due}`);
    }
    for (const field of document.querySelectorAll("[data-exact]")) {
      const key = field.dataset.exact, due = inputText(state[key]);
      if (field.value !== due) found.push(`${key} shows ${field.value}, not ${due}`);
    }
    const search = query(state, defaultSettings), again = fromAddress(search);
    if (again.notes.length || !same(again.state, state)) found.push(`${search} is not the state`);
    // Notes may cite what was wrong, in harmless characters.
    const said = document.body.innerText, numbers = document.querySelector("main").innerText;
    if (/[\\u202a-\\u202e\\u2066-\\u2069\\u0000\\u001b]/.test(said)) found.push(said);
    if (/undefined|NaN|\\[object/.test(numbers)) found.push(numbers);
    return found;
  };
}"""

STATE = """async () => {
  // A field that is being typed into is left alone; it counts when it is left.
  if (document.activeElement?.matches("[data-exact]")) document.activeElement.blur();
  // Two frames: a chart's turn may be every second one.
  for (let n = 0; n < 2; n++) await new Promise(done => requestAnimationFrame(done));
  return JSON.stringify(store.state);
}"""

#: The address bar has what is in the store.
ADDRESS = """async () => {
  const {modules} = await pageModules();
  const {query} = modules["core/address.mjs"], {defaultSettings} = modules["core/settings.mjs"];
  const here = new URLSearchParams(location.search);
  const due = new URLSearchParams(query(store.state, defaultSettings));
  for (const key in defaultSettings) here.delete(key);
  return String(here) === String(due);
}"""

GO = """address => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""

AT_ONCE = """draws => {
  const widget = key => Bokeh.documents.map(each => each.get_model_by_name(`place-${key}`))
    .find(each => each)?.data;
  for (const {kind, key, text, index, query} of draws) {
    const field = document.querySelector(`[data-exact="${key}"]`);
    if (kind === "typed" && field && !field.disabled) {
      field.value = text;
      field.dispatchEvent(new Event("input"));
      field.dispatchEvent(new Event("change"));
    } else if (kind === "address") {
      history.replaceState(null, "", `?${query}`);
      dispatchEvent(new PopStateEvent("popstate"));
    } else if (widget(key)) {
      try {
        widget(key).value = field ? index : text;
      } catch {
        // Bokeh itself refuses it.
      }
    }
  }
}"""


class Machine:
    """The page in a lesson, and what can be done to it; each step draws what it needs."""

    def __init__(self, browser: Browser, site: str, chance: Random) -> None:
        self.widget = Widget(browser, site, has_touch=True)
        self.page, self.chance = self.widget.page, chance
        self.page.add_init_script(CATCH)
        answer = {"body": HOST, "content_type": "text/html; charset=utf-8"}
        self.page.route(f"{site}/lesson.html", lambda route: route.fulfill(**answer))
        self.page.goto(f"{site}/lesson.html")
        self.page.wait_for_function("heard.some(each => each.type === 'ready')")
        self.frame: Frame = self.page.frames[1]
        self.frame.wait_for_selector("html[data-ready]")
        self.frame.evaluate(JUDGE)
        self.devtools = self.widget.context.new_cdp_session(self.page)
        self.behind = self.ahead = 0
        self.done: list[str] = []

    def run(self, steps: int) -> None:
        doings = [getattr(self, name) for name in dir(type(self)) if name.startswith("do_")]
        try:
            for _ in range(steps):
                doing: Callable[[], object] = self.chance.choice(doings)
                self.done.append(doing.__name__)
                self.done[-1] += f" {doing()}"
                self.check()
            self.page.mouse.up()
            self.frame.wait_for_function(ADDRESS)
        except BaseException as failure:
            failure.add_note("\n".join(self.done[-12:]))
            raise
        finally:
            self.widget.context.close()

    def check(self) -> None:
        inputs = json.loads(self.frame.evaluate(STATE))
        own = inputs["model"] in OWN_MODELS
        numbers = {
            key: math.nan if each is None else each
            for key, each in inputs.items()
            if own or key not in MODEL_KEYS
        }
        report = vars(evaluate(scenario(**numbers)))
        python = {
            key: float(each)
            for key, each in report.items()
            if isinstance(each, float) and math.isfinite(each)
        }
        assert self.frame.evaluate("python => shown(python)", python) == []
        assert self.widget.trouble == []

    # What readers do

    def do_type(self) -> str:
        key, text = self.chance.choice(SLIDERS), self.text()
        field = self.frame.locator(f'[data-exact="{key}"]')
        if field.is_visible() and field.is_enabled():
            field.fill(text)
            field.press(self.chance.choice(["Enter", "Tab"]))
        return f"{key}: {text!r}"

    def do_press_keys(self) -> str:
        key = self.chance.choice(SLIDERS)
        names = ["ArrowLeft", "ArrowRight", "ArrowUp", "Home", "End", "PageUp", "PageDown", "Tab"]
        keys = self.chance.choices(names, k=self.chance.randrange(1, 9))
        thumb = self.frame.locator(f'[data-control="{key}"] .MuiSlider-thumb input')
        if thumb.is_visible() and thumb.is_enabled():
            thumb.focus()
            for each in keys:
                self.page.keyboard.press(each)
        return f"{key}: {keys}"

    def do_drag(self) -> str:
        key, released = self.chance.choice(SLIDERS), self.chance.random() < 0.8
        rail = self.frame.locator(f'[data-control="{key}"] .MuiSlider-root')
        if rail.is_visible():
            rail.scroll_into_view_if_needed()
            box, mouse = rail.bounding_box(), self.page.mouse
            ends = [box["x"] + box["width"] * self.chance.uniform(-0.2, 1.2) for _ in range(2)]
            mouse.up()
            mouse.move(ends[0], box["y"] + box["height"] / 2)
            mouse.down()
            mouse.move(ends[1], box["y"] + box["height"] / 2, steps=self.chance.randrange(1, 6))
            if released:
                mouse.up()
        return f"{key}, {released=}"

    def do_touch(self) -> str:
        key = self.chance.choice(SLIDERS)
        rail = self.frame.locator(f'[data-control="{key}"] .MuiSlider-root')
        if rail.is_visible():
            rail.scroll_into_view_if_needed()
            box = rail.bounding_box()
            for kind in ("touchStart", "touchMove", "touchMove", "touchEnd"):
                x = max(0, box["x"] + box["width"] * self.chance.random())
                point = {"x": x, "y": box["y"] + box["height"] / 2}
                points = [] if kind == "touchEnd" else [point]
                touch = {"type": kind, "touchPoints": points}
                self.devtools.send("Input.dispatchTouchEvent", touch)
        return key

    def do_choose(self) -> str:
        key = self.chance.choice(["weights", "kv"])
        # The first one opens those that lie behind "More formats".
        at = self.chance.randrange(len(CHOICES[key].table) + 1)
        button = self.frame.locator(f'[data-control="{key}"] button').nth(at)
        if button.is_visible() and button.is_enabled():
            button.click(force=True)
        return f"{key}: {at}"

    def do_press_a_button(self) -> str:
        name = self.chance.choice(["#theme", "#units", ".undo", ".reset", ".notes button"])
        button = self.frame.locator(name)
        if button.is_visible():
            button.click(force=True)
        return name

    def do_switch(self) -> str:
        name = self.chance.choice(list(ASSUMPTION_NAMES.values()))
        word = self.frame.locator(".switch label", has_text=name)
        if word.is_visible():
            word.click(force=True)
        return name

    def do_search(self) -> str:
        """By keys, where the bar opens: a model or a GPU of a name, or of none."""
        part, key = self.chance.choice([("Model", "model"), ("Hardware", "gpu")])
        name = self.chance.choice([*CHOICES[key].table, "none such"])
        opener = self.frame.locator(".piece .opener", has_text=part)
        if opener.is_visible() and opener.is_enabled():
            opener.press("Enter")
            self.page.keyboard.type(name)
            self.page.keyboard.press("Enter")
            self.page.keyboard.press("Escape")
        return name

    # What a lesson and a browser do

    def do_say(self) -> str:
        types = ["setState", "setState", "setState", "getState", "reset", "ready", "__proto__"]
        type_ = self.chance.choice(types)
        hostile = [each for kind in kinds("messages.json").values() for each in kind["scenarios"]]
        pairs = json.dumps({self.key(): self.text() for _ in range(self.chance.randrange(1, 4))})
        said = self.chance.choice([pairs, pairs, self.chance.choice(hostile)])
        self.page.evaluate(f"say({{type: '{type_}', scenario: {said}}})")
        return f"{type_} {said[:80]}"

    def do_go(self) -> str:
        """To another address, as a link in the page would."""
        address = f"?{self.query()}"
        self.frame.evaluate(GO, address)
        self.behind, self.ahead = self.behind + 1, 0
        return address

    def do_go_back(self) -> str:
        if self.behind:
            self.page.evaluate("history.back()")
            self.behind, self.ahead = self.behind - 1, self.ahead + 1
        return str(self.behind)

    def do_go_forward(self) -> str:
        if self.ahead:
            self.page.evaluate("history.forward()")
            self.behind, self.ahead = self.behind + 1, self.ahead - 1
        return str(self.behind)

    def do_resize(self) -> str:
        width, height = self.chance.randrange(320, 1600), self.chance.randrange(500, 1200)
        self.page.set_viewport_size({"width": width, "height": height})
        return f"{width} x {height}"

    def do_change_the_light(self) -> str:
        scheme = self.chance.choice(["dark", "light"])
        self.page.emulate_media(color_scheme=scheme)
        return scheme

    def do_all_at_once(self) -> str:
        """Late events of widgets, typed values and addresses, faster than any frame."""
        draws = [
            {
                "kind": self.chance.choice(["widget", "typed", "typed", "address"]),
                "key": self.chance.choice([*SLIDERS, *CONTROLS]),
                "text": self.text(),
                "index": self.chance.choice([-1, 99, *range(12)]),
                "query": self.query(),
            }
            for _ in range(12)
        ]
        self.frame.evaluate(AT_ONCE, draws)
        return json.dumps(draws)

    # What these draw

    def key(self) -> str:
        return self.chance.choice([*CONTROLS, *CONTROLS, *INPUTS])

    def text(self) -> str:
        """A value that some input takes, or none."""
        hostile = [text for kind in kinds("values.json").values() for text in kind.get("texts", [])]
        stops = [stop for key in SLIDERS for stop in NUMBERS[key].stops]
        names = [name for choice in CHOICES.values() for name in choice.table]
        taken = f"{self.chance.choice(stops):,}"
        drawn = self.chance.choice([taken, taken, taken, self.chance.choice([*hostile, *names])])
        return drawn.encode("utf-8", "replace").decode()

    def query(self) -> str:
        hostile = [each for kind in kinds("addresses.json").values() for each in kind["addresses"]]
        parts = ["meter", "readouts", "controls", "formulas", "roofline", "share", "meter,controls"]
        model = f"model={self.chance.choice(list(CHOICES['model'].table))}"
        shown = f"{self.chance.choice(['show', 'hide'])}={self.chance.choice(parts)}"
        lock = f"lock={self.chance.choice(['all', *CONTROLS])}"
        pair = f"{self.key()}={self.text()}"
        drawn = self.chance.choice([pair, model, shown, lock, self.chance.choice(hostile)[1:]])
        return drawn.replace("#", "%23") + self.chance.choice(["", f"&{shown}", f"&{lock}"])


@pytest.mark.fuzz
def test_whatever_is_done_the_state_is_sound(browser: Browser, site: str) -> None:
    fuzz(lambda chance: Machine(browser, site, chance).run(STEPS), 2)


@pytest.fixture
def machine(browser: Browser, site: str) -> Iterator[Machine]:
    machine = Machine(browser, site, Random(0))
    yield machine
    machine.widget.close()


KEYS = """names => {
  let inner = document.activeElement;
  while (inner.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
  for (const key of names) {
    inner.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, composed: true}));
  }
}"""
HEADS = """params_b => {
  const field = document.querySelector('[data-exact="params_b"]');
  field.value = params_b;
  field.dispatchEvent(new Event("change"));
}"""
HEADS_AND_KEYS = f"([params_b, names]) => {{ ({HEADS})(params_b); ({KEYS})(names); }}"


def test_keys_at_machine_speed_after_the_heads_have_changed(machine: Machine) -> None:
    """Four keys at once on a list of stops that has just become another."""
    frame = machine.frame
    for key in SLIDERS:
        frame.evaluate("store.open({...store.home, params_b: 405, gqa: 1, spec_k: 4})")
        machine.check()
        frame.locator(f'[data-control="{key}"] .MuiSlider-thumb input').focus()
        before = frame.evaluate("key => store.state[key]", key)
        frame.evaluate(KEYS, ["Home", "ArrowRight", "ArrowRight"])
        machine.check()
        assert frame.evaluate("key => store.state[key]", key) != before
        for names in (["End", "ArrowLeft"], ["ArrowRight"] * 4, ["Home", "End", "ArrowLeft"]):
            for params_b in ("60", "405", "0.5"):
                frame.evaluate(HEADS_AND_KEYS, [params_b, names])
                machine.check()


def test_what_is_typed_is_taken_or_said(machine: Machine) -> None:
    """Every text of the corpus in every field; none is a value of any."""
    texts = []
    for kind in kinds("values.json").values():
        if kind["of"] == "numbers":
            texts += kind.get("texts", []) + [each * 1000 for each in kind.get("repeated", [])]
    machine.frame.evaluate("store.move('gpu', 'custom')")
    found = machine.frame.evaluate(
        """texts => {
          const {state} = store, found = [];
          const sentence = /^[^\\p{Cc}\\p{Cf}]{1,200} It stays at [\\d.,]+\\.$/u;
          for (const field of document.querySelectorAll("[data-exact]")) {
            const control = field.closest("[data-control]"), before = field.value;
            for (const text of texts) {
              // Left empty, some follow another input.
              if (field.placeholder && !text.trim()) continue;
              field.value = text;
              field.dispatchEvent(new Event("input"));
              field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
              const said = control.querySelector(".error").textContent;
              if (!sentence.test(said)) found.push([text, said]);
              if (field.value !== before || store.state !== state) found.push([text, field.value]);
            }
          }
          return found;
        }""",
        [text.encode("utf-8", "replace").decode() for text in texts],
    )
    assert found == []
    machine.check()


def test_moves_leave_nothing_behind(machine: Machine) -> None:
    """Thousands of moves, fifty in each frame, and the heap after."""

    def heap_bytes(frames: int) -> float:
        machine.frame.evaluate(
            """async ([frames, half]) => {
              const batches = [1, 8, 64, 100, 1024, 16, 2, 32], sizes = [0.5, 7, 13, 70, 405, 60];
              for (let n = 0; n < frames; n++) {
                for (let i = 0; i < half; i++) {
                  store.move("batch", batches[(n + i) % batches.length]);
                  store.move("params_b", sizes[(n + i) % sizes.length]);
                }
                await new Promise(done => requestAnimationFrame(done));
              }
              store.settle();
            }""",
            [frames, MOVES_PER_FRAME / 2],
        )
        machine.devtools.send("HeapProfiler.enable")
        machine.devtools.send("HeapProfiler.collectGarbage")
        return machine.devtools.send("Runtime.getHeapUsage")["usedSize"]

    heap_bytes(40)
    first, frames = heap_bytes(120), 480
    # A move's state alone is 400 bytes; what the compiler keeps comes and goes by 40 of each.
    assert heap_bytes(frames) - first < 100 * MOVES_PER_FRAME * frames
    machine.check()
