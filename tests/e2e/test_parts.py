"""Parts on a page of their own, beside each other and without a view: each in its root."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.build.libraries import localized, scripts
from app.build.modules import modules
from app.build.page import controls, embedded, figures, templates
from app.build.page import page as built
from calc.presets.hardware import gpu_rows
from tests.helpers.site import static_site

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<title>Parts</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<div style="display: grid; grid-template-columns: 1fr 1fr; gap: 16px">
{% for side in ("left", "right") %}
{% with prefix = side ~ "-" %}
<section id="{{ side }}" aria-label="{{ side }}">
<form class="controls" aria-label="{{ side }} scenario">
{% with key = "gpu", kind = "select" %}{% include "parts/control.html" %}{% endwith %}
{% with key = "gpus", kind = "entry" %}{% include "parts/control.html" %}{% endwith %}
{% with key = "batch", kind = "slider" %}{% include "parts/control.html" %}{% endwith %}
</form>
{% include "parts/meter.html" %}
{% include "parts/readouts.html" %}
{% include "parts/charts.html" %}
</section>
{% endwith %}
{% endfor %}
</div>
<p data-scripts="SCRIPTS"></p>
<script type="module">
import {defaults} from "./core/rules.mjs";
import {Store} from "./core/store.mjs";
import {loadLibraries} from "./libraries.mjs";
import {charts} from "./parts/charts.mjs";
import {controls} from "./parts/controls.mjs";
import {formulas} from "./parts/formulas.mjs";
import {meter} from "./parts/meter.mjs";
import {readouts} from "./parts/readouts.mjs";

const roots = await loadLibraries();
window.sides = {};
for (const side of ["left", "right"]) {
  const root = document.getElementById(side), store = new Store(defaults, defaults);
  const inside = name => root.querySelector(`.${name}`);
  const form = controls(inside("controls"), store), texts = inside("readouts");
  const bar = meter(inside("meter")), plots = charts(inside("charts"), store);
  const parts = [form, bar, readouts(texts), formulas(texts), plots];
  for (const part of [form, bar, plots]) part.connect(roots);
  const show = () => {
    for (const part of parts) part.show(store);
    for (const part of parts) part.draw?.(store);
  };
  for (const kind of ["change", "settle"]) store.addEventListener(kind, show);
  show();
  form.resync();
  const figure = name => roots.get(root.querySelector(`.figure[id$=${name}]`));
  sides[side] = {store, form, figure};
}
</script>
</html>
"""


def two_of_each(html: str) -> dict[str, object]:
    """The documents of a page that has controls and figures at both sides, those with a place."""
    made = {
        name: {id_: root for side in ("left-", "right-") for id_, root in make(side).items()}
        for name, make in {"controls": controls, "figures": figures}.items()
    }
    return {
        name: embedded({id_: root for id_, root in roots.items() if f'id="{id_}"' in html})
        for name, roots in made.items()
    }


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("parts")
    html = templates().from_string(PAGE).render()
    documents, bundles = localized(json.dumps(two_of_each(html)))
    libraries = scripts(documents)
    texts = modules() | {
        "index.html": html.replace("SCRIPTS", " ".join(libraries)),
        "page.css": built().style,
        "documents.json": documents,
    }
    files = {name: text.encode() for name, text in texts.items()} | libraries | bundles
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    with static_site(folder) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    # Bokeh also logs how long it took.
    page.on(
        "console", lambda it: trouble.append(it.text) if it.type in ("error", "warning") else None
    )
    page.goto(address)
    page.wait_for_function("window.sides?.right")
    yield page
    page.close()
    assert trouble == []


@pytest.fixture
def sides(page: Page) -> tuple[Locator, Locator]:
    return page.locator("#left"), page.locator("#right")


def says(side: Locator, name: str, text: str) -> None:
    expect(side.locator(f'[data-text="{name}"]')).to_have_text(text)


def move(page: Page, side: str, key: str, value: object) -> str:
    return page.evaluate(
        "([side, key, value]) => sides[side].store.move(key, value)", [side, key, value]
    )


def draws(page: Page, figure: str, source: str, name: str, columns: object) -> None:
    """A figure draws from this at the left and at the right; out of sight, a bit later."""
    page.wait_for_function(
        """([figure, source, name, columns]) => columns === JSON.stringify(
          [sides.left, sides.right].map(side =>
            [...side.figure(figure).select_one(source).data[name]]))""",
        arg=[figure, source, name, json.dumps(columns, separators=(",", ":"))],
    )


def test_two_meters_follow_two_stores(page: Page, sides: tuple[Locator, Locator]) -> None:
    left, right = sides
    assert move(page, "left", "batch", 64) == ""
    says(left, "meter", "82.7 GB asked, 2.72 GB over")
    says(left, "tokens_per_s", "2,550")
    says(right, "meter", "22.6 GB of 80 GB")
    says(right, "tokens_per_s", "1,170")
    expect(left.locator(".meter")).to_contain_class("over")
    expect(right.locator(".meter")).not_to_contain_class("over")
    # The cache as it is drawn: up to the limit 66 of its 68.7 GB, and all of 8.59 GB.
    draws(page, "meter", "plain", "right", [[80_000_000_000], [22_589_934_592, 80_000_000_000]])
    move(page, "right", "batch", 16)
    says(left, "tokens_per_s", "2,550")
    says(right, "meter", "31.2 GB of 80 GB")


def test_two_sliders_and_two_charts_of_one_name_are_two(
    page: Page, sides: tuple[Locator, Locator]
) -> None:
    """One document of Bokeh's has both: each is found in its own place."""
    left, right = sides
    slider = [side.locator('[data-control="batch"]').get_by_role("slider") for side in sides]
    slider[0].focus()
    page.keyboard.press("PageUp")  # 8, 12, 16
    expect(left.locator('[data-exact="batch"]')).to_have_value("16")
    draws(page, "throughput", "points", "x", [[16, 16], [8, 8]])
    page.keyboard.press("Tab")
    slider[1].focus()
    page.keyboard.press("Home")
    expect(right.locator('[data-exact="batch"]')).to_have_value("1")
    expect(slider[0]).to_have_attribute("aria-valuetext", "16 sequences")
    expect(slider[1]).to_have_attribute("aria-valuetext", "1 sequence")
    draws(page, "throughput", "points", "x", [[16, 16], [1, 1]])


def test_what_is_opened_at_one_side_opens_nothing_at_the_other(
    page: Page, sides: tuple[Locator, Locator]
) -> None:
    left, right = sides
    right.get_by_role("button", name="Formula of All users together").click()
    expect(right.locator(".formula:not([hidden])")).to_contain_text("8 / 6.85 ms")
    expect(left.locator(".formula:not([hidden])")).to_have_count(0)
    left.get_by_role("tab", name="Roofline").click()
    says(left, "legend_ridge", "ridge: 990 TFLOP/s ÷ 3.3 TB/s = 300 FLOP/byte")
    expect(left.locator('[data-chart="roofline"]')).to_be_visible()
    expect(right.locator('[data-chart="roofline"]')).to_be_hidden()


def test_every_id_is_there_once_and_leads_to_its_own_side(page: Page) -> None:
    assert (
        page.evaluate(
            """() => {
          const all = selector => [...document.querySelectorAll(selector)];
          const ids = all("[id]").map(each => each.id);
          const wrong = ids.filter((id, i) => ids.indexOf(id) !== i);
          const side = each => each?.closest("#left, #right");
          for (const name of ["aria-controls", "aria-describedby", "aria-labelledby"]) {
            for (const each of all(`[${name}]`)) {
              const found = document.getElementById(each.getAttribute(name));
              if (side(found) !== side(each)) wrong.push(each.outerHTML);
            }
          }
          return wrong;
        }"""
        )
        == []
    )


# A control of many names is a list, not a row of buttons.


def chosen(side: Locator) -> Locator:
    return side.get_by_role("option", selected=True).locator("b")


def test_a_gpu_is_found_by_typing_its_name(page: Page, sides: tuple[Locator, Locator]) -> None:
    left, right = sides
    names = left.get_by_role("option").locator("b")
    assert names.all_inner_texts() == ["Own GPU", *(row["name"] for row in gpu_rows().values())]
    expect(chosen(left)).to_have_text("H100 80GB")
    left.get_by_role("combobox", name="GPU").focus()
    page.keyboard.type("h200")
    page.keyboard.press("Enter")
    expect(chosen(left)).to_have_text("H200 SXM 141GB")
    assert page.evaluate("sides.left.store.state.gpu") == "h200-sxm"
    # 141 GB, of which the same 22.6 GB are asked for.
    says(left, "meter", "22.6 GB of 141 GB")
    says(right, "meter", "22.6 GB of 80 GB")


def test_a_list_follows_the_store_and_can_be_locked(
    page: Page, sides: tuple[Locator, Locator]
) -> None:
    left, _ = sides
    move(page, "left", "gpu", "a100-sxm-80gb")
    expect(chosen(left)).to_have_text("A100 SXM 80GB")
    page.evaluate("sides.left.form.present({lock: ['gpu']})")
    expect(left.get_by_role("combobox", name="GPU")).to_be_disabled()
    left.get_by_role("option").first.click()
    expect(chosen(left)).to_have_text("A100 SXM 80GB")
    page.evaluate("sides.left.form.present({lock: []})")
    left.get_by_role("option").first.click()
    expect(chosen(left)).to_have_text("Own GPU")


def test_an_entry_needs_no_slider(page: Page, sides: tuple[Locator, Locator]) -> None:
    left, right = sides
    entry = left.locator('[data-exact="gpus"]')
    entry.fill("2")
    entry.press("Enter")
    # Half of 14 GB and of each 1.07 GB: (80 − 7) / 0.537 = 135.97 sequences.
    says(left, "room", "14 % · room for 135 sequences")
    expect(right.locator('[data-exact="gpus"]')).to_have_value("1")
    entry.fill("65")
    entry.press("Enter")
    expect(left.locator('[data-control="gpus"] .error')).to_contain_text("from 1 to 64")
    expect(entry).to_have_value("2")
