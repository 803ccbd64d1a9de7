"""Predict, lock in, reveal, explain: by mouse, by keyboard, on a phone, and nothing told before.

Numbers by hand, for the lesson's 7B model on its card (see test_try_it.py): one reader with 8,192
tokens reads 14e9 + 8,192·131,072 bytes a step at 3.3e12 bytes/s, 4.57 ms or 219 tokens/s. In int4
it is 3.5e9 bytes of weights: 722 tokens/s, 3.30 times as many; at 512 tokens, 3.94 times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from app.__main__ import main
from app.assets import read_text
from app.exercises.answers import answer
from app.exercises.read import read_course
from app.exercises.record import DIRECTIONS, Choice, Direction, Exercise, Number, Order
from tests.e2e.test_accessibility import AXE, RUN
from tests.helpers.site import static_site
from tests.helpers.widget import Widget

INT4 = "/index.html?exercise=int4-one-reader"

#: One question of the batching lab.
IN_THE_LAB = "/index.html?exercise=waiting-for-the-longest"

#: What would tell the answer: rates, times, intensities and distances before the prediction.
TOLD = re.compile(r"\b219\b|4\.57|4\.24|\b116 ms|0\.929|323×|tokens/s:|\b722\b|3\.30")

COURSE = read_course(read_text("exercises.toml").encode())
PATH = [each for each in COURSE.exercises if not each.further]
FURTHER = [each for each in COURSE.exercises if each.further]


class Exercises(Widget):
    """One open page with the exercises on it."""

    @property
    def card(self) -> Locator:
        return self.page.locator(".exercise")

    @property
    def verdict(self) -> Locator:
        return self.card.locator(".verdict")

    def button(self, name: str) -> Locator:
        return self.card.get_by_role("button", name=name, exact=True)

    def predict(self, name: str) -> None:
        self.card.get_by_role("radio", name=name, exact=True).check()
        self.button("Lock in").click()

    def everything(self) -> str:
        """All that is in the document, also within shadow roots, and what a screen reader gets."""
        html = self.page.evaluate(
            """() => {
              const inside = root => [...root.children].map(it => {
                if (/^(script|style|template)$/i.test(it.localName)) return "";
                const own = [...it.attributes].map(({value}) => value).join(" ");
                const texts = [...it.childNodes].filter(({nodeType}) => nodeType === 3)
                  .map(({data}) => data).join(" ");
                const value = it.value ?? "";
                return [own, texts, value, inside(it), it.shadowRoot ? inside(it.shadowRoot) : ""]
                  .join(" ");
              }).join(" ");
              return inside(document.body);
            }"""
        )
        return f"{html}\n{self.page.locator('body').aria_snapshot()}\n{self.page.url}"


@pytest.fixture
def exercises(browser: Browser, site: str) -> Iterator[Exercises]:
    made = Exercises(browser, site)
    yield made
    made.close()


def test_from_the_address_to_a_question_explained_and_back(exercises: Exercises) -> None:
    exercises.open()
    page, card = exercises.page, exercises.card
    page.get_by_role("button", name="Predict first").click()
    expect(card.locator(".question")).to_have_text(COURSE.exercises[0].question)
    expect(card.locator(".question")).to_be_focused()
    # Back and forward lead from one view to the other.
    page.go_back()
    expect(card).to_have_count(0)
    exercises.says("tokens_per_s", "1,170")
    page.go_forward()
    expect(card.locator(".where")).to_contain_text(f"Question 1 of {len(PATH)}")
    exercises.button("All questions").click()
    exercises.button("A quarter of the bytes, not answered").click()
    expect(card.locator(".question")).to_be_focused()
    page.wait_for_function("location.search.endsWith('exercise=int4-one-reader')")
    exercises.button("Lock in").click()
    expect(card.get_by_role("alert")).to_have_text("Choose one first.")
    exercises.button("Hint").click()
    expect(card.locator(".hints li")).to_have_count(1)
    # That was the last one.
    expect(exercises.button("Hint")).to_be_hidden()
    expect(exercises.button("Lock in")).to_be_focused()
    expect(page.locator('[data-exact="batch"]')).to_be_disabled()

    exercises.predict("4×")
    expect(exercises.verdict).to_have_text("You said 4×, it is 3.30×.")
    expect(exercises.verdict).to_be_focused()
    expect(card.locator(".why")).to_contain_text("from 14.0 GB to 3.50 GB")
    expect(card.locator(".turns-on")).to_have_text("The term behind the difference is KV cache.")
    exercises.says("tokens_per_s_per_user", "219")
    # By one's own hand, or shown.
    tasks = card.locator(".tasks li")
    expect(tasks).to_have_class(["", ""])
    expect(exercises.button("Next, without the steps")).to_be_visible()
    exercises.choose("weights", "int4")
    expect(tasks).to_have_class(["ticked", ""])
    exercises.says("tokens_per_s_per_user", "722")
    exercises.button("Show me").click()
    expect(tasks).to_have_class(["ticked", "ticked"])
    exercises.holds("context", "512")
    expect(exercises.button("Next")).to_be_focused()


def test_the_first_prediction_is_kept_and_summed_up(exercises: Exercises) -> None:
    exercises.open(INT4)
    page, card = exercises.page, exercises.card
    exercises.predict("4×")
    exercises.button("Try again").click()
    expect(page.locator('[data-text="tokens_per_s"]')).to_have_count(0)
    exercises.predict("3.3×")
    expect(exercises.verdict).to_have_text("Right: it is 3.30×.")
    expect(card.locator(".first")).to_have_text("At first you said 4×.")
    exercises.button("All questions").click()
    expect(
        exercises.button("A quarter of the bytes 2 steps left to do, wrong at first")
    ).to_be_visible()
    expect(
        exercises.button("A quarter of the bytes 2 steps left to do, wrong at first")
    ).to_be_focused()
    page.keyboard.press("Escape")
    expect(exercises.button("All questions")).to_be_focused()
    page.keyboard.press("Enter")
    exercises.button("Summary").click()
    expect(card.locator(".outcome")).to_have_text("0 of 1 prediction right at first.")
    expect(card.locator(".left")).to_contain_text("Thinking took")
    expect(card.locator(".again li")).to_have_count(1)
    expect(card.locator(".unfinished li")).to_have_text("A quarter of the bytes2 steps left to do")
    expect(card.locator(".further li")).to_have_text([each.title for each in FURTHER])
    # Started over by mistake, it is had back.
    exercises.button("Start over").click()
    expect(card.locator(".where")).to_contain_text("Question 1 of")
    expect(card.locator(".track .ticked")).to_have_count(0)
    exercises.button("Undo").click()
    expect(card.locator(".outcome")).to_have_text("0 of 1 prediction right at first.")
    exercises.button("Start over").click()
    exercises.predict("Reading memory")
    expect(exercises.button("Undo")).to_be_hidden()


def test_whoever_leaves_is_back_where_they_were(exercises: Exercises) -> None:
    exercises.open()
    page = exercises.page
    exercises.type("batch", "16")
    # The way in stays once something was moved.
    page.get_by_role("button", name="Exercises").click()
    expect(page.locator("#exercises")).to_be_hidden()
    exercises.holds("batch", "1")
    exercises.predict("Reading memory")
    exercises.type("batch", "256")
    # The address keeps what one goes back to, also for whoever opens it anew.
    page.wait_for_function("location.search === '?batch=16&exercise=what-it-waits-for'")
    page.reload()
    exercises.holds("batch", "1")
    exercises.button("Leave").click()
    expect(exercises.card).to_have_count(0)
    exercises.holds("batch", "16")
    exercises.says("tokens_per_s", "1,690")
    page.wait_for_function("location.search === '?batch=16'")
    expect(page.locator("#exercises")).to_be_visible()
    # What lies beside "Predict first" opens a question of its own.
    exercises.reset()
    chosen = page.locator(".switch label:has(:checked)")
    live = chosen.evaluate("it => getComputedStyle(it).backgroundColor")
    page.get_by_role("button", name="32 readers?").click()
    expect(exercises.card.locator(".where")).to_contain_text("Question 5")
    # What cannot be pressed does not look as if it could.
    expect(page.get_by_role("radio", name="Estimate")).to_be_disabled()
    expect(chosen).not_to_have_css("background-color", live)


def test_what_is_locked_is_so_again_after_the_exercises(exercises: Exercises) -> None:
    exercises.open("/index.html?batch=64&context=4096&lock=batch,context")
    page = exercises.page
    exercises.type("gqa", "8")
    page.get_by_role("button", name="Exercises").click()
    exercises.predict("Reading memory")
    exercises.holds("batch", "1")
    exercises.button("Leave").click()
    expect(exercises.card).to_have_count(0)
    exercises.holds("batch", "64")
    exercises.holds("context", "4,096")
    exercises.holds("gqa", "8")
    page.get_by_role("button", name="Exercises").click()
    exercises.holds("batch", "1")
    page.go_back()
    expect(exercises.card).to_have_count(0)
    exercises.holds("batch", "64")
    # Undo leads where it led before.
    page.get_by_role("button", name="Undo").click()
    exercises.holds("gqa", "4")
    exercises.holds("batch", "64")


def test_a_step_that_would_move_what_is_locked_is_not_asked(exercises: Exercises) -> None:
    exercises.open("/index.html?exercise=one-read-for-all&lock=batch")
    tasks, card = exercises.card.locator(".tasks li"), exercises.card
    exercises.predict("10×")
    expect(exercises.verdict).to_be_visible()
    expect(tasks).to_have_count(0)
    expect(card.locator(".tasks-head")).to_be_hidden()
    expect(exercises.button("Next")).to_be_visible()
    # What is explained is the exercise's own set-up.
    exercises.holds("batch", "32")
    expect(exercises.exact("batch")).to_be_disabled()
    exercises.open("/index.html?exercise=eight-long-conversations&lock=gqa")
    exercises.predict("3")
    expect(tasks).to_have_class([""])
    exercises.button("Show me").click()
    exercises.holds("context", "32,768")
    exercises.holds("gqa", "4")
    expect(exercises.button("Next")).to_be_focused()
    exercises.button("All questions").click()
    expect(exercises.button("Eight long conversations, right at first")).to_be_focused()


def test_nor_is_one_that_would_move_a_locked_field_of_the_lab(exercises: Exercises) -> None:
    exercises.open("/index.html?exercise=waiting-for-the-longest&lock=slots,policy")
    tasks, slots = exercises.card.locator(".tasks li"), exercises.page.locator('[name="slots"]')
    exercises.predict("1.5×")
    expect(tasks).to_have_class([""])
    exercises.button("Show me").click()
    expect(exercises.page.locator('[name="lengths"]')).to_have_value("fixed")
    expect(slots).to_have_value("2")
    expect(slots).to_be_disabled()
    expect(exercises.button("Next")).to_be_focused()
    exercises.open("/index.html?exercise=waiting-for-the-longest&lock=all")
    exercises.predict("1.5×")
    expect(exercises.verdict).to_be_visible()
    expect(tasks).to_have_count(0)


def test_only_the_last_way_counts_on_a_slow_network(exercises: Exercises) -> None:
    page, held, slow = exercises.page, [], [True]

    def hold(route: Route) -> None:
        if slow:
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile("exercises"), hold)
    exercises.open("/index.html?batch=16")
    with page.expect_request(re.compile("exercises")):
        page.get_by_role("button", name="Predict first").click()
    page.wait_for_function("location.search === '?batch=16&view=exercises'")
    page.go_back()
    page.go_forward()
    slow.clear()
    for each in held:
        each.continue_()
    expect(exercises.card).to_have_count(1)
    exercises.button("Leave").click()
    expect(exercises.card).to_have_count(0)
    expect(page.locator(".veiled")).to_have_count(0)
    exercises.holds("batch", "16")
    expect(exercises.exact("batch")).to_be_enabled()


def test_an_exercise_says_what_waits_beside_it(exercises: Exercises) -> None:
    exercises.open("/index.html?batch=64&exercise=int4-one-reader")
    exercises.holds("batch", "1")
    expect(exercises.page.locator(".notes li")).to_have_text(
        "batch: an exercise has a set-up of its own; this one waits for Leave"
    )
    exercises.button("Leave").click()
    exercises.holds("batch", "64")
    expect(exercises.page.locator(".notes li")).to_have_count(0)


def test_one_unit_of_memory_is_spoken_of(exercises: Exercises) -> None:
    exercises.open("/index.html?exercise=one-long-conversation&units=GiB")
    card, units = exercises.card, exercises.page.locator("#units")
    expect(card.locator(".told")).to_contain_text("weights are 13.0\u00a0GiB")
    card.get_by_role("radio", name="15.8 GiB").check()
    units.click()
    expect(card.locator(".told")).to_contain_text("weights are 14.0\u00a0GB")
    expect(card.get_by_role("radio", name="17 GB")).to_be_checked()
    exercises.button("Lock in").click()
    expect(exercises.verdict).to_have_text("Right: it is 17.2 GB.")
    expect(card.locator(".why")).to_contain_text("comes to 17.2\u00a0GB")
    units.click()
    expect(exercises.verdict).to_have_text("Right: it is 16.0 GiB.")
    expect(card.locator(".why")).to_contain_text("comes to 16.0\u00a0GiB")
    assert not re.search(r"\dGB|\d.GB", card.inner_text())


def test_a_press_that_leaves_an_entry_is_a_click(exercises: Exercises) -> None:
    exercises.open()
    page, mouse = exercises.page, exercises.page.mouse

    def press(button: Locator) -> None:
        """As slowly as a hand: what would move is painted before it is let go."""
        box = button.bounding_box()
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse.down()
        page.evaluate(
            "() => new Promise(it => requestAnimationFrame(() => requestAnimationFrame(it)))"
        )
        mouse.up()

    exercises.exact("batch").fill("no number")
    int8 = exercises.page.locator('[data-control="weights"]').get_by_role("button", name="int8")
    # What is refused is read first; the next press counts.
    press(int8)
    expect(page.locator('[data-control="batch"] .error')).to_contain_text("It stays at 8")
    exercises.says("tokens_per_s", "1,170")
    press(int8)
    exercises.says("tokens_per_s", "1,690")
    exercises.holds("batch", "8")
    exercises.reset()
    exercises.open()
    exercises.exact("batch").fill("64")
    press(page.get_by_role("button", name="Predict first"))
    expect(exercises.card).to_be_visible()
    exercises.button("Leave").click()
    exercises.holds("batch", "64")


@pytest.mark.parametrize("width", [1280, 390])
def test_what_the_first_screen_offers_is_an_exercise(
    browser: Browser, site: str, width: int
) -> None:
    exercises = Exercises(browser, site, viewport={"width": width, "height": 844}).open()
    page = exercises.page
    for name, id_ in {
        "32 readers": "one-read-for-all",
        "4-bit weights": "int4-one-reader",
        "32K tokens without GQA": "eight-long-conversations",
    }.items():
        page.get_by_role("button", name=name).click()
        (question,) = (each.question for each in COURSE.exercises if each.id == id_)
        expect(exercises.card.locator(".question")).to_have_text(question)
        expect(exercises.card.locator(".question")).to_be_in_viewport()
        exercises.button("Leave").click()
        exercises.says("tokens_per_s", "1,170")
    exercises.close()


def test_steps_in_any_order_are_remembered(exercises: Exercises) -> None:
    exercises.open("/index.html?exercise=eight-long-conversations")
    page, card = exercises.page, exercises.card
    exercises.predict("3")
    tasks = card.locator(".tasks li")
    # g back to 4 waits for g to 1; the context does not matter to it.
    exercises.type("gqa", "1")
    expect(tasks).to_have_class(["", "ticked", ""])
    exercises.type("gqa", "4")
    expect(tasks).to_have_class(["", "ticked", "ticked"])
    exercises.button("All questions").click()
    exercises.button("32 readers instead of one, not answered").click()
    exercises.predict("10×")
    # Past 32 to 64 in one drag: the hand has not rested at 32.
    exercises.drag_to_stop("batch", 6, 11)
    exercises.holds("batch", "64")
    expect(tasks.nth(1)).to_contain_text("after the one above")
    expect(tasks).to_have_class(["", ""])
    exercises.button("Show me").click()
    exercises.holds("batch", "32")
    expect(tasks).to_have_class(["ticked", ""])
    exercises.button("All questions").click()
    page.get_by_role(
        "button", name="Eight long conversations 1 step left to do, right at first"
    ).click()
    expect(tasks).to_have_class(["", "ticked", "ticked"])
    exercises.holds("gqa", "4")
    exercises.button("Show me").click()
    expect(exercises.button("Next")).to_be_focused()


def test_of_a_deployment_all_is_locked_in_before_anything_is_told(exercises: Exercises) -> None:
    exercises.open(f"/index.html?exercise={PATH[-1].id}")
    page, card = exercises.page, exercises.card
    where, told = card.locator(".where"), page.locator('[data-text="tokens_per_s"]')
    expect(where).to_contain_text(f"Question {len(PATH)} of {len(PATH)}")
    exercises.predict("KV cache in int8")
    expect(card.locator(".track .ticked")).to_have_count(1)
    exercises.button("To the test").click()
    expect(where).to_contain_text("deployment 1 of 5")
    expect(card.locator(".told")).to_contain_text("Five deployments")
    exercises.predict("Mostly into decode")
    expect(where).to_contain_text("question 2 of 3")
    expect(card.locator(".locked-in")).to_contain_text("Locked in: Mostly into decode.")
    # Back does not lead to an answer, nor does the list.
    exercises.button("Previous").click()
    expect(where).to_contain_text(f"Question {len(PATH)}")
    exercises.button("To the test").click()
    expect(where).to_contain_text("question 2 of 3")
    exercises.button("All questions").click()
    card.get_by_role("button", name="Where the time goes, locked in").click()
    expect(where).to_contain_text("question 2 of 3")
    page.locator(".pill").first.click()
    exercises.button("Lock in").click()
    expect(where).to_contain_text("question 3 of 3")
    expect(told).to_have_count(0)
    expect(card.locator(".compared")).to_be_hidden()
    expect(card.locator(".typed")).to_contain_text("within 25\u00a0% is right")
    for text in ("1.5y", "1e400", "1e-400"):
        page.locator(".choices input").fill(text)
        expect(card.locator(".asking .error")).to_be_empty()
        exercises.button("Lock in").click()
        expect(card.get_by_role("alert")).to_have_text("Type a number in ×, such as 12 or 0.5.")
    page.locator(".choices input").fill("2,5")
    exercises.button("Lock in").click()
    # Now the answers, one after the other.
    expect(where).to_contain_text("answer 1 of 3")
    expect(told).to_have_count(1)
    exercises.button("Next").click()
    expect(where).to_contain_text("answer 2 of 3")
    expect(card.locator(".compared tr")).to_have_count(6)
    exercises.button("Next").click()
    expect(where).to_contain_text("answer 3 of 3 · locked in: 2.5×")
    expect(card.locator(".first")).to_contain_text("right at first")
    exercises.button("Next").click()
    expect(where).to_contain_text("deployment 2 of 5")


def test_what_is_veiled_is_nowhere(exercises: Exercises) -> None:
    exercises.open(INT4)
    page = exercises.page
    for readout in page.locator(".readout").all():
        readout.hover()
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.get_by_role("tabpanel")).to_have_text("after your prediction")
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(page.locator(".formula, .formula-toggle, .reading, details")).to_have_count(0)
    expect(page.locator("[aria-live]:not(.hints)")).to_have_count(0)
    before = exercises.everything()
    assert "KV cache per token" in before
    assert not TOLD.findall(before)
    exercises.predict("4×")
    expect(exercises.verdict).to_be_visible()
    exercises.says("tokens_per_s", "219")
    assert {"219", "4.57", "0.929"} <= set(TOLD.findall(exercises.everything()))
    # What comes back is drawn, and works.
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    page.get_by_role("tab", name="Throughput").click()
    expect(page.locator("#panel-throughput .figure canvas").first).to_be_visible()
    page.get_by_role("button", name="Formula of One user").click()
    expect(page.locator("#formula-tokens_per_s_per_user")).to_contain_text("219 tokens/s")


def test_by_keyboard_alone(exercises: Exercises) -> None:
    exercises.open(INT4)
    keys, page = exercises.page.keyboard, exercises.page
    exercises.card.locator(".leave").focus()
    keys.press("Tab")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="3.3×")).to_be_checked()
    keys.press("Enter")
    expect(exercises.verdict).to_have_text("Right: it is 3.30×.")
    while not exercises.button("Show me").evaluate("it => it === document.activeElement"):
        keys.press("Tab")
    keys.press("Enter")
    expect(exercises.button("Show me")).to_be_focused()
    keys.press("Enter")
    expect(exercises.button("Next")).to_be_focused()
    keys.press("Enter")
    expect(exercises.card.locator(".question")).to_be_focused()
    expect(exercises.card.locator(".where")).not_to_contain_text("A quarter of the bytes")


def test_on_a_phone_from_one_file_on_disk_without_storage(
    browser: Browser, exported_folder: Path
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    exercises = Exercises(browser, f"file://{exported_folder}", **phone)
    exercises.page.add_init_script(
        "Object.defineProperty(self, 'localStorage', {get() { throw new Error('refused'); }})"
    )
    exercises.open("/page.html?exercise=int4-one-reader")
    page = exercises.page
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator(".pill", has_text="4×").tap()
    exercises.button("Lock in").tap()
    expect(exercises.verdict).to_have_text("You said 4×, it is 3.30×.")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    # The open step goes with the reader down to the sliders.
    bar = page.locator(".step-bar")
    expect(bar).to_be_hidden()
    exercises.exact("context").scroll_into_view_if_needed()
    expect(bar.locator("p")).to_have_text("Step 1 of 2: Switch the weights to int4.")
    exercises.choose("weights", "int4")
    expect(bar).to_contain_text("✓ 1 of 2 done: Shorten the context to 512")
    exercises.type("context", "512")
    expect(bar.locator("p")).to_have_text("✓ All 2 steps done.")
    bar.get_by_role("button", name="Next question").tap()
    expect(exercises.card.locator(".where")).to_contain_text("Question 8 of")
    expect(exercises.card.locator(".question")).to_be_in_viewport()
    expect(bar).to_be_hidden()
    exercises.button("All questions").tap()
    page.locator(".questions .keeping input").tap()
    expect(exercises.card.locator(".questions .refused")).to_contain_text("go on without")
    expect(page.locator(".questions .keeping input")).not_to_be_checked()
    small = page.evaluate(
        """() => [...document.querySelectorAll(".exercise :is(button, .pill, .keeping label)")]
          .filter(it => it.checkVisibility() && it.getBoundingClientRect().height < 43.5)
          .map(it => it.textContent)"""
    )
    assert small == []
    exercises.close()


def test_progress_is_kept_where_that_is_wanted(browser: Browser, site: str) -> None:
    exercises = Exercises(browser, site).open("/index.html?view=exercises")
    expect(exercises.card.locator(".begin")).to_contain_text(
        f"{len(PATH)} exercises: about 30 minutes. Then a test of 5 deployments: about 20 minutes."
    )
    assert exercises.page.evaluate("localStorage.length") == 0
    exercises.card.locator(".begin .keeping input").check()
    exercises.button("All questions").click()
    expect(exercises.card.locator(".questions .keeping input")).to_be_checked()
    exercises.button("A quarter of the bytes, not answered").click()
    exercises.predict("4×")
    exercises.choose("weights", "int4")
    expect(exercises.card.locator(".tasks li")).to_have_class(["ticked", ""])
    exercises.open("/index.html?view=exercises")
    expect(exercises.card.locator(".tasks li")).to_have_class(["ticked", ""])
    exercises.says("tokens_per_s_per_user", "722")
    expect(exercises.verdict).to_have_text("You said 4×, it is 3.30×.")
    exercises.button("All questions").click()
    exercises.page.locator(".questions .keeping input").uncheck()
    exercises.open("/index.html?view=exercises")
    expect(exercises.card.locator(".where")).to_contain_text("Question 1")
    exercises.close()


def test_a_box_that_is_ticked_is_no_prediction(exercises: Exercises) -> None:
    exercises.open("/index.html?view=exercises")
    exercises.card.locator(".begin .keeping input").check()
    alert = exercises.card.get_by_role("alert")
    exercises.button("Lock in").click()
    expect(alert).to_have_text("Choose one first.")
    exercises.button("Skip").click()
    expect(exercises.card.locator(".where")).to_contain_text("Question 2")
    exercises.button("Lock in").click()
    expect(alert).to_have_text("Choose one first.")
    expect(exercises.verdict).to_be_hidden()


def test_each_course_of_a_site_has_its_own_progress(
    browser: Browser, exported_folder: Path, tmp_path: Path
) -> None:
    own = read_text("exercises.toml").split("[clearing]")[0].replace('"int4-one-reader"', '"mine"')
    (tmp_path / "own.toml").write_text(own)
    (tmp_path / "shipped").symlink_to(exported_folder)
    main(["export", str(tmp_path / "own"), "--exercises", str(tmp_path / "own.toml")])
    with static_site(tmp_path) as address:
        exercises = Exercises(browser, address).open(f"/shipped{INT4}")
        page, box = exercises.page, ".questions .keeping input"
        exercises.predict("4×")
        exercises.button("All questions").click()
        page.locator(box).check()
        kept = page.evaluate("({...localStorage})")
        ((entry, text),) = kept.items()
        exercises.open("/own/index.html?exercise=mine")
        expect(page.locator(box)).not_to_be_checked()
        exercises.predict("3.3×")
        assert page.evaluate("({...localStorage})") == kept
        exercises.button("All questions").click()
        page.locator(box).check()
        assert page.evaluate("localStorage.length") == 2
        # To open a question is nothing to keep.
        exercises.open("/shipped/index.html?exercise=one-read-for-all")
        expect(page.locator(box)).to_be_checked()
        assert page.evaluate("it => localStorage[it]", entry) == text
        exercises.open(f"/shipped{INT4}")
        expect(exercises.verdict).to_have_text("You said 4×, it is 3.30×.")
        exercises.close()


def test_two_pages_keep_one_progress(browser: Browser, site: str) -> None:
    exercises = Exercises(browser, site).open(INT4)
    other = Exercises(browser, site)
    other.context.close()
    other.page = exercises.context.new_page()
    other.open("/index.html?exercise=one-read-for-all")
    box = ".questions .keeping input"
    exercises.button("All questions").click()
    exercises.page.locator(box).check()
    exercises.page.keyboard.press("Escape")
    exercises.predict("4×")
    # The box says what the browser keeps; who has not touched it takes nothing away.
    expect(other.page.locator(box)).to_be_checked()
    other.predict("10×")
    other.button("All questions").click()
    expect(
        other.button("A quarter of the bytes 2 steps left to do, wrong at first")
    ).to_be_visible()
    exercises.open("/index.html?exercise=one-read-for-all")
    expect(exercises.verdict).to_be_visible()
    exercises.open(INT4)
    expect(exercises.verdict).to_have_text("You said 4×, it is 3.30×.")
    # Dropped in one, it is dropped in both.
    other.page.locator(box).uncheck()
    expect(exercises.page.locator(box)).not_to_be_checked()
    exercises.button("Try again").click()
    exercises.predict("3.3×")
    expect(exercises.verdict).to_be_visible()
    assert exercises.page.evaluate("localStorage.length") == 0
    exercises.close()


def test_the_page_around_is_told_the_first_answer(browser: Browser, site: str) -> None:
    page = browser.new_page()
    page.goto(f"{site}/licenses.txt")
    page.evaluate(
        """address => {
          self.heard = [];
          addEventListener("message", ({data}) => { if (data.type) heard.push(data); });
          const frame = Object.assign(document.createElement("iframe"), {src: address});
          Object.assign(frame.style, {width: "1200px", height: "1200px"});
          document.body.replaceChildren(frame);
        }""",
        f"{site}{INT4}",
    )
    frame = page.frame_locator("iframe")
    frame.get_by_role("radio", name="4×", exact=True).check()
    # What the prediction is asked of stays.
    page.evaluate(
        """frames[0].postMessage({source: "decode-arithmetic", version: 1, type: "setState",
          scenario: {batch: 64}}, "*")"""
    )
    page.wait_for_function("heard.some(({message}) => message?.includes('prediction is asked'))")
    expect(frame.locator('[data-exact="batch"]')).to_have_value("1")
    told = page.evaluate("JSON.stringify(heard)")
    frame.get_by_role("button", name="Lock in").click()
    expect(frame.locator(".verdict")).to_have_text("You said 4×, it is 3.30×.")
    assert not TOLD.findall(told)
    answers = "heard.filter(({type}) => type === 'answer')"
    page.wait_for_function(f"{answers}.length === 1")
    (heard,) = page.evaluate(answers)
    assert heard.pop("seconds") >= 0
    assert heard == {
        "source": "decode-arithmetic",
        "version": 1,
        "type": "answer",
        "exercise": "int4-one-reader",
        "prediction": "4",
        "correct": False,
    }
    # It stays the first one as long as the page is open, and the frame's set-up its own.
    frame.get_by_role("button", name="Leave").click()
    expect(frame.locator('[data-exact="batch"]')).to_have_value("8")
    frame.get_by_role("button", name="Reset").click()
    expect(frame.locator('[data-exact="batch"]')).to_have_value("8")
    frame.get_by_role("button", name="Exercises").click()
    expect(frame.locator(".verdict")).to_have_text("You said 4×, it is 3.30×.")
    frame.get_by_role("button", name="Try again").click()
    frame.get_by_role("radio", name="3.3×", exact=True).check()
    frame.get_by_role("button", name="Lock in").click()
    expect(frame.locator(".first")).to_have_text("At first you said 4×.")
    assert len(page.evaluate(answers)) == 1
    page.close()


def test_an_exercise_that_is_not_there_is_said(exercises: Exercises) -> None:
    exercises.open("/index.html?exercise=no-such")
    note = exercises.page.locator(".notes li")
    expect(note).to_have_text("exercise=no-such: there is no such exercise")
    expect(exercises.card.locator(".where")).to_contain_text("Question 1")


def answers(exercise: Exercise) -> tuple[list[str], list[str]]:
    """What can be pressed or typed in, rightly and wrongly."""
    prediction, right = exercise.prediction, answer(exercise)
    match prediction:
        case Number() if not prediction.options:
            return [f"{right.value:.6g}"], [f"{3 * right.value:.6g}"]
        case Order():
            return list(right.right), list(reversed(right.right))
        case Number():
            ids = [f"{each:g}" for each in prediction.options]
        case Direction():
            ids = list(DIRECTIONS)
        case Choice() | _:
            ids = [each.id for each in prediction.options]
    return list(right.right), [next(each for each in ids if each not in right.right)]


def say(page: Page, said: list[str]) -> None:
    for each in said:
        choice = page.locator(f'.choices :is(input[value="{each}"], button[data-id="{each}"])')
        if choice.count():
            choice.click(force=True)
        else:
            page.locator(".choices input").fill(each)
    page.get_by_role("button", name="Lock in").click()


def test_every_question_by_a_wrong_and_a_right_answer(exercises: Exercises) -> None:
    exercises.open("/index.html?view=exercises")
    answer_all(exercises, PATH)
    expect(exercises.card.locator(".where")).to_contain_text("deployment 1 of")
    exercises.open(f"/index.html?exercise={FURTHER[0].id}")
    answer_all(exercises, FURTHER)
    expect(exercises.card.locator(".outcome")).to_contain_text(f"0 of {len(FURTHER)} predictions")


def answer_all(exercises: Exercises, course: list[Exercise]) -> None:
    page, card = exercises.page, exercises.card
    for exercise in course:
        right, wrong = answers(exercise)
        expect(card.locator(".question")).to_have_text(
            exercise.question if "{" not in exercise.question else re.compile(r"\?$")
        )
        say(page, wrong)
        expect(exercises.verdict).to_have_text(re.compile("^(You said|It is)"))
        exercises.button("Try again").click()
        say(page, right)
        expect(exercises.verdict).to_have_text(re.compile("^Right"))
        expect(card.locator(".why p")).not_to_have_count(0)
        while exercises.button("Show me").count():
            exercises.button("Show me").click()
        expect(card.locator(".tasks li:not(.ticked)")).to_have_count(0)
        card.locator(".next").click()


@pytest.mark.parametrize(
    "looks", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}]
)
@pytest.mark.parametrize(("address", "reply"), [(INT4, "4×"), (IN_THE_LAB, "1.5×")])
def test_axe_finds_nothing(
    browser: Browser, site: str, looks: dict[str, str], address: str, reply: str
) -> None:
    exercises = Exercises(browser, site, **looks).open(address)
    page = exercises.page
    page.add_script_tag(path=AXE)

    def found() -> list[str]:
        trouble = []
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            trouble += page.evaluate(RUN)
        return trouble

    assert found() == []
    exercises.predict(reply)
    expect(exercises.verdict).to_be_visible()
    if address == IN_THE_LAB:
        expect(page.locator(".lab .run.second canvas").first).to_be_visible()
    assert found() == []
    exercises.button("All questions").click()
    assert found() == []
    exercises.button("Summary").click()
    assert found() == []
    exercises.close()


#: What would tell the answer: the throughput and the times of both replays, from the totals that
#: `simulate` prints for the same settings.
TOLD_BY_REPLAYS = re.compile(r"\b301\b|\b451\b|1\.50×|28\.7|19\.1|8,630|\b65\b|\b98\b|longest wait")


def test_a_question_of_the_lab_tells_nothing_before_and_shows_both_replays_after(
    exercises: Exercises,
) -> None:
    exercises.open(IN_THE_LAB)
    page, card, lab = exercises.page, exercises.card, exercises.page.locator(".lab")
    veil = page.get_by_role("region", name="Batching lab")
    expect(veil).to_contain_text("after your prediction")
    expect(lab).to_have_count(0)
    expect(page.locator(".results")).to_be_hidden()
    exercises.button("Hint").click()
    assert TOLD_BY_REPLAYS.search(exercises.everything()) is None
    # Settings of the lab in the address change nothing, and open nothing.
    exercises.open(IN_THE_LAB + "&requests=200&policy=chunked&seed=7")
    expect(lab).to_have_count(0)
    assert TOLD_BY_REPLAYS.search(exercises.everything()) is None

    exercises.predict("8×")
    # Two thirds of the slots' time are used, as test_replays.py counts: mean over longest.
    expect(exercises.verdict).to_have_text("You said 8×, it is 1.50×.")
    expect(card.locator(".why")).to_contain_text("its slots are busy 65 % of the time")
    expect(veil.get_by_text("after your prediction")).to_have_count(0)
    expect(lab.locator('[name="policy"]')).to_have_value("static")
    expect(lab.locator('[name="other_policy"]')).to_have_value("continuous")
    expect(lab.locator('[name="requests"]')).to_have_value("40")
    exercises.says("busy_first", "65")
    exercises.says("busy_second", "98")
    expect(lab.locator(".run.first .slots canvas").first).to_be_visible()
    expect(page.locator(".results")).to_be_hidden()
    # The card comes first for the keyboard, too; there is one way to leave.
    assert page.evaluate(
        """() => document.querySelector(".exercise").compareDocumentPosition(
          document.querySelector(".lab")) === Node.DOCUMENT_POSITION_FOLLOWING"""
    )
    expect(page.get_by_role("button", name="Leave")).to_have_count(1)


def test_the_lab_of_a_question_is_played_on_with_and_gone_with_it(exercises: Exercises) -> None:
    exercises.open("/index.html?view=lab&requests=20&slots=4")
    page, lab = exercises.page, exercises.page.locator(".lab")
    lab.get_by_role("button", name="Predict first").click()
    expect(exercises.card.locator(".where")).to_contain_text("Waiting for the longest")
    exercises.predict("1.5×")
    expect(page.get_by_role("button", name="Predict first")).to_have_count(0)
    lengths, tasks = lab.locator('[name="lengths"]'), exercises.card.locator(".tasks li")
    expect(tasks).to_have_class(["", ""])
    lengths.select_option("fixed")
    expect(tasks).to_have_class(["ticked", ""])
    # All alike: both replays take the same time, and the texts stay with what was asked.
    expect(exercises.text("lab_sentence")).to_contain_text("both write the same", ignore_case=True)
    exercises.says("busy_first", "100")
    expect(exercises.verdict).to_have_text("Right: it is 1.50×.")
    page.wait_for_function("!location.search.includes('lengths')")
    # Asked anew, it is as it was.
    exercises.button("Try again").click()
    expect(lab).to_have_count(0)
    expect(page.get_by_role("region", name="Batching lab")).to_be_visible()
    exercises.predict("1.5×")
    # What is done of the steps is kept, and stands there.
    expect(lengths).to_have_value("fixed")
    exercises.button("Show me").click()
    expect(tasks).to_have_class(["ticked", "ticked"])
    expect(lengths).to_have_value("bimodal")
    expect(lab.locator('[name="slots"]')).to_have_value("8")
    exercises.button("Next").click()
    expect(exercises.card.locator(".told")).to_contain_text("busy 33 % of the time")
    expect(lab).to_have_count(0)
    exercises.button("Previous").click()
    expect(lab.locator(".run.first")).to_be_visible()
    expect(tasks).to_have_class(["ticked", "ticked"])
    # The summary stands over the widget, and the lab that was left is there again after all.
    exercises.button("All questions").click()
    exercises.button("Summary").click()
    expect(lab).to_have_count(0)
    expect(page.locator(".results")).to_be_visible()
    exercises.button("Leave").click()
    page.get_by_role("button", name="Lab", exact=True).click()
    expect(lab.locator('[name="requests"]')).to_have_value("20")
    expect(lab.get_by_role("button", name="Leave")).to_be_visible()


def test_back_from_the_lab_leads_to_the_question_as_it_was_left(exercises: Exercises) -> None:
    exercises.open(IN_THE_LAB)
    page, lab = exercises.page, exercises.page.locator(".lab")
    # The lab itself is open to all, with its own settings; Back is under the veil again.
    page.get_by_role("button", name="Lab", exact=True).click()
    expect(lab.locator('[name="slots"]')).to_have_value("8")
    expect(exercises.card).to_have_count(0)
    page.go_back()
    expect(exercises.card.locator(".question")).to_be_visible()
    expect(lab).to_have_count(0)
    assert TOLD_BY_REPLAYS.search(exercises.everything()) is None
    exercises.predict("1×")
    expect(lab.locator(".run.second")).to_be_visible()


def test_a_lab_that_does_not_come_is_said(exercises: Exercises) -> None:
    exercises.open(IN_THE_LAB)
    page = exercises.page
    page.route("**/views/lab.mjs", lambda route: route.abort())
    exercises.predict("1×")
    expect(exercises.verdict).to_have_text("You said 1×, it is 1.50×.")
    expect(page.locator(".notes")).to_contain_text("The batching lab did not come")
    exercises.trouble.clear()
    page.unroute("**/views/lab.mjs")


def test_a_step_in_the_scenario_and_one_in_the_lab(exercises: Exercises) -> None:
    exercises.open("/index.html?exercise=a-gpu-for-prefill")
    page, lab = exercises.page, exercises.page.locator(".lab")
    exercises.predict("1×")
    tasks = exercises.card.locator(".tasks li")
    exercises.button("Show me").click()
    expect(tasks).to_have_class(["ticked", ""])
    expect(exercises.text("trace")).to_contain_text("twice, all at once")
    lab.locator('[name="other_policy"]').select_option("chunked")
    expect(tasks).to_have_class(["ticked", "ticked"])
    expect(exercises.button("Next")).to_have_count(0)
    expect(exercises.button("Summary")).to_be_visible()
    # Twice the GPUs at most 1.4 times the tokens: each of them gives more in pieces.
    row = page.get_by_role("row", name=re.compile("^… of each GPU"))
    expect(row.locator("td").last).to_have_text(re.compile(r"^1\.\d+×$"))
