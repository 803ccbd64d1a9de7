"""The batching lab: seen, played, changed, replayed by hand, and left again.

By hand, for the lesson's 7B model on its card (14e9 bytes of weights, 3.3e12 bytes/s, 990e12
FLOP/s): a prompt of 2,000 tokens takes 2 · 7e9 · 2,000 / 990e12 = 28.3 ms. A step of a single
sequence reads 14e9 + T · 131,072 bytes, 4.32 ms at T = 2,001: together 32.6 ms for two tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.test_accessibility import AXE, RUN
from tests.helpers.widget import Widget

ALONE = "&requests=1&lengths=fixed&prompt=2000&output=2"


class Lab(Widget):
    """One open page with the lab on it."""

    def setting(self, key: str) -> Locator:
        return self.page.locator(f'.lab [name="{key}"]')

    def enter(self, key: str, text: str) -> None:
        self.setting(key).fill(text)
        self.setting(key).press("Enter")

    def total(self, title: str) -> list[str]:
        row = self.page.get_by_role("row", name=re.compile(f"^{title}"))
        return row.locator("td").all_text_contents()[:2]


@pytest.fixture
def lab(browser: Browser, site: str) -> Iterator[Lab]:
    made = Lab(browser, site)
    yield made
    made.close()


def address_has(page: Page, text: str) -> None:
    page.wait_for_function("text => location.search.includes(text)", arg=text)


def test_from_the_widget_to_what_a_static_batch_wastes_and_back(lab: Lab) -> None:
    lab.open("/index.html?batch=16")
    lab.page.get_by_role("button", name="Lab", exact=True).click()
    lab.says("about_first", "a new batch starts when the last one has ended")
    said = lab.text("lab_sentence").inner_text()
    gain = re.search(r"empty\. .* ([\d.]+)× the throughput", said)
    assert said.startswith("The static batch waits for its longest answer")
    assert 2 < float(gain[1]) < 3  # the lesson's, on chat and a few long answers
    address_has(lab.page, "view=lab")
    expect(lab.page.locator(".controls")).to_be_hidden()
    expect(lab.page.locator(".run.first .slots canvas").first).to_be_visible()
    lab.page.locator(".lab").get_by_role("button", name="Leave").click()
    expect(lab.page.locator(".lab")).to_have_count(0)
    lab.holds("batch", "16")
    # As often as one likes.
    lab.page.go_back()
    expect(lab.page.locator(".run.second .slots canvas").first).to_be_visible()


def test_one_request_is_the_closed_form(lab: Lab) -> None:
    lab.open(f"/index.html?view=lab{ALONE}")
    assert lab.total("First token, half within") == ["28.3 ms", "28.3 ms"]
    assert lab.total("Each next, half within") == ["4.32 ms", "4.32 ms"]
    assert lab.total("Time in all") == ["32.6 ms", "32.6 ms"]
    lab.enter("slots", "1")
    assert lab.total("Slots busy") == ["100 %", "100 %"]


def test_each_step_leads_to_the_next_pass(lab: Lab) -> None:
    lab.open("/index.html?view=lab")
    lab.page.locator(".scrub").fill("0")
    clock, seen = lab.text("clock"), set()
    for _ in range(40):
        lab.page.get_by_role("button", name="Step").click()
        seen.add(clock.inner_text())
    assert len(seen) == 40


@pytest.mark.parametrize(("locked", "n"), [("all", None), ("slots,policy,batch", 2)])
def test_what_is_locked_is_shown_and_not_to_be_changed(lab: Lab, locked: str, n: int) -> None:
    # With a rate and chunks every field says something.
    lab.open(f"/index.html?view=lab&slots=4&rate=1&other_policy=chunked&lock={locked}")
    fields = lab.page.locator(".lab .field :is(input, select)")
    expect(lab.setting("slots")).to_have_value("4")
    expect(lab.setting("slots")).to_be_disabled()
    assert lab.page.locator(".lab .field :is(input, select):disabled").count() == (
        n or fields.count()
    )


def test_what_is_left_leaves_nothing_behind(lab: Lab) -> None:
    page = lab.open("/index.html").page
    devtools = page.context.new_cdp_session(page)
    nodes = []
    for _ in range(4):
        page.get_by_role("button", name="Lab", exact=True).click()
        expect(page.locator('[data-chart="load"] canvas').first).to_be_visible()
        page.locator(".lab").get_by_role("button", name="Leave").click()
        expect(page.locator(".lab")).to_have_count(0)
        for _ in range(3):
            devtools.send("HeapProfiler.collectGarbage")
        nodes.append(devtools.send("Memory.getDOMCounters")["nodes"])
    # The figures of one lab are 1,600 nodes.
    assert nodes[-1] < nodes[0] + 800


def test_alike_requests_are_served_alike(lab: Lab) -> None:
    lab.open("/index.html?view=lab&lengths=fixed&requests=16")
    first, second = lab.total("Tokens per second")
    assert first == second
    lab.says("busy_first", "100")


def test_settings_answer_and_stand_in_the_address(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab&rate=4&slots=32&requests=200&prompt=2000").page
    lab.setting("policy").select_option("chunked")
    expect(lab.text("lab_sentence")).to_have_text(re.compile("^A long prompt in pieces"))
    address_has(page, "policy=chunked")
    lab.enter("requests", "0")
    error = page.locator(".lab .error")
    expect(error).to_have_text(
        "Requests: allowed is a whole number from 1 to 2,000. It stays at 200."
    )
    expect(lab.setting("requests")).to_have_value("200")
    lab.enter("requests", "100")
    expect(error).to_be_empty()
    expect(lab.text("trace")).to_contain_text("the same 100 requests")
    # What the scenario bar changes is replayed, too.
    before = lab.total("Tokens per second")
    lab.switch("Estimate")
    page.wait_for_function(
        "text => !document.querySelector('.totals').innerText.includes(text)", arg=before[0]
    )
    assert float(lab.total("Tokens per second")[0].replace(",", "")) < float(
        before[0].replace(",", "")
    )
    address_has(page, "assumptions=engine")


def test_play_pause_step_and_scrub(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    clock, play = lab.text("clock"), page.get_by_role("button", name="Play")
    whole = clock.inner_text()
    scrub = page.get_by_role("slider", name="Time")
    scrub.focus()
    page.keyboard.press("Home")
    expect(clock).not_to_have_text(whole)
    lab.says("speed_first", "0")
    page.get_by_role("button", name="Step").click()
    expect(lab.text("busy_first")).to_have_text("100")
    play.click()
    page.wait_for_function("Number(document.querySelector('.scrub').value) > 20")
    page.get_by_role("button", name="Pause").click()
    expect(play).to_be_visible()
    page.keyboard.press("Tab")
    scrub.focus()
    page.keyboard.press("End")
    expect(clock).to_have_text(whole)


def test_a_press_on_a_bar_watches_its_reader(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    watched = page.get_by_label("Request that is watched")
    page.locator(".run.second .slots").click(position={"x": 6, "y": 10})
    expect(watched).to_have_value("1")
    watched.fill("40")
    watched.press("Enter")
    expect(lab.text("legend_gaps_second")).to_contain_text("Continuous: longest wait")
    panel = page.locator('[data-chart="gaps"]')
    panel.get_by_text("The same as a table").click()
    expect(panel.locator("tr").first).to_have_text("tokenStatic, msContinuous, ms")
    load = page.locator('[data-chart="load"]')
    expect(load.locator(".line-second")).to_contain_text("within the limit up to about")
    # Who is not there is not watched, and that is said.
    watched.fill("170")
    watched.press("Enter")
    expect(watched).to_have_value("40")
    lab.says("watched", ": allowed is a whole number from 1 to 40, it stays at 40")


def test_requests_longer_than_the_context_are_a_sentence(lab: Lab) -> None:
    lab.open("/index.html?view=lab&context=512")
    lab.says(
        "lab_sentence",
        "A prompt of 512 and an output of 500 tokens are longer than the context, 512: "
        "the longest sequence that is served.",
    )


def test_a_model_that_does_not_fit_is_a_sentence(lab: Lab) -> None:
    lab.open("/index.html?view=lab&model=llama-3-70b")
    expect(lab.text("lab_sentence")).to_have_text(
        re.compile("^Request 1, .* can never fit: the weights leave no room for a cache")
    )


OWN = "arrival_s,prompt,output\n0,2000,2\n60,2000,2\n"

#: Lets go of a file over the lab.
DROP = """([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, {type: "text/csv"}));
  const words = {dataTransfer, bubbles: true, cancelable: true};
  document.querySelector(".lab").dispatchEvent(new DragEvent("drop", words));
}"""


def test_a_trace_of_one_s_own_is_replayed_and_let_go_again(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    page.get_by_text("More: memory").click()
    chooser = page.locator(".own input")
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": OWN.encode()}
    chooser.set_input_files([file])
    expect(lab.text("trace")).to_have_text(
        "the 2 requests of mine.csv, twice; in the mean 2,000 tokens in, 2 out"
    )
    # Each by itself, as in the closed form.
    assert lab.total("First token, half within") == ["28.3 ms", "28.3 ms"]
    assert lab.total("Time in all") == ["60.0 s", "60.0 s"]
    lab.enter("slots", "9")
    expect(lab.setting("requests")).to_be_disabled()
    # What is none is refused by line and field, and nothing has changed.
    page.evaluate(DROP, ["other.csv", OWN + "61,x,1\n"])
    expect(page.locator(".lab .error")).to_have_text(
        "other.csv: line 4, prompt=x: allowed is a whole number from 1 to 1,048,576."
    )
    expect(lab.text("trace")).to_contain_text("mine.csv")
    page.evaluate(DROP, ["large.csv", OWN + "61,1,1\n" * 300_000])
    expect(page.locator(".lab .error")).to_contain_text("a file of more than 2 MB")
    page.evaluate(DROP, ["long.csv", OWN + "61,1,1\n" * 10_000])
    expect(page.locator(".lab .error")).to_contain_text("the page replays 10,000 requests at most")
    # So is one that can never fit.
    page.evaluate(DROP, ["huge.csv", OWN + "\n61,9000,1\n"])
    expect(page.locator(".lab .error")).to_have_text(
        "huge.csv: line 5, with a prompt of 9,000 and an output of 1 token, can never fit: the "
        "context, 8,192, is the longest sequence that is served. Take a longer one, or leave that "
        "line out of the file."
    )
    expect(lab.text("trace")).to_contain_text("mine.csv")
    expect(page.locator(".totals")).to_be_visible()
    page.get_by_role("button", name="Draw requests again").click()
    expect(lab.text("trace")).to_contain_text("the same 40 requests")
    expect(page.locator(".lab .error")).to_be_empty()
    expect(lab.setting("requests")).to_be_enabled()


def test_a_trace_that_fits_no_longer_is_named_with_the_way_back_in_sight(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab&context=16384").page
    page.evaluate(DROP, ["long.csv", OWN + "61,12000,1\n"])
    expect(lab.text("trace")).to_contain_text("the 3 requests of long.csv")
    page.evaluate(
        """() => {
          history.replaceState(null, "", "?view=lab");
          dispatchEvent(new PopStateEvent("popstate"));
        }"""
    )
    expect(lab.text("lab_sentence")).to_have_text(
        re.compile(r"^long\.csv: line 4, with a prompt of 12,000 .* can never fit: the context")
    )
    page.get_by_role("button", name="Draw requests again").click()
    expect(lab.text("trace")).to_contain_text("the same 40 requests")
    expect(page.locator(".totals")).to_be_visible()


def test_a_trace_of_one_s_own_stays_while_the_page_is_open(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    page.evaluate(DROP, ["mine.csv", OWN])
    trace, mine = lab.text("trace"), re.compile("^the 2 requests of mine.csv")
    page.locator(".lab").get_by_role("button", name="Leave").click()
    expect(page.locator(".lab")).to_have_count(0)
    page.go_back()
    expect(trace).to_have_text(mine)
    page.get_by_role("button", name="Exercises", exact=True).click()
    expect(page.locator(".lab")).to_have_count(0)
    page.get_by_role("button", name="Lab", exact=True).click()
    expect(trace).to_have_text(mine)
    expect(lab.setting("requests")).to_be_disabled()
    # A link has settings alone, and that is said.
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".notes")).to_contain_text("The link does not hold mine.csv")
    page.get_by_role("button", name="Draw requests again").click()
    page.locator(".lab").get_by_role("button", name="Leave").click()
    page.go_back()
    expect(trace).to_contain_text("the same 40 requests")


def test_of_two_traces_the_one_that_was_chosen_last_is_served(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    # The first is read once the second is served.
    page.evaluate(
        """() => {
          const read = File.prototype.arrayBuffer;
          File.prototype.arrayBuffer = function () {
            const bytes = read.call(this);
            if (this.name !== "slow.csv") return bytes;
            return new Promise(done => { window.end = () => done(bytes); });
          };
        }"""
    )
    page.evaluate(DROP, ["slow.csv", OWN + "61,9,9\n"])
    page.evaluate(DROP, ["fast.csv", OWN])
    expect(lab.text("trace")).to_contain_text("fast.csv")
    page.evaluate("end()")
    page.evaluate("new Promise(done => setTimeout(done))")
    expect(lab.text("trace")).to_contain_text("fast.csv")
    # Nor is one served that was let go meanwhile.
    page.evaluate(DROP, ["slow.csv", OWN + "61,9,9\n"])
    page.get_by_role("button", name="Draw requests again").click()
    page.evaluate("end()")
    page.evaluate("new Promise(done => setTimeout(done))")
    expect(lab.text("trace")).to_contain_text("the same 40 requests")


def test_what_no_replay_asks_for_rests(lab: Lab) -> None:
    lab.open("/index.html?view=lab")
    expect(lab.setting("chunk")).to_be_disabled()
    lab.setting("other_policy").select_option("chunked")
    expect(lab.setting("chunk")).to_be_enabled()
    expect(lab.setting("block")).to_be_enabled()
    lab.setting("allocator").select_option("contiguous")
    lab.setting("other_allocator").select_option("contiguous")
    expect(lab.setting("block")).to_be_disabled()


@pytest.mark.parametrize(
    ("locked", "label"),
    [("all", "Requests"), ("rate", "Arrivals"), ("slots,lengths", "Lengths"), ("output", "Output")],
)
def test_where_what_is_drawn_is_locked_no_trace_is_taken(lab: Lab, locked: str, label: str) -> None:
    page = lab.open(f"/index.html?view=lab&lock={locked}").page
    said = f"A trace of your own would change what is locked here: {label}."
    error = page.locator(".lab .error")
    page.get_by_text("More: memory").click()
    expect(page.locator('[type="file"]')).to_be_disabled()
    page.get_by_text("Open a trace …").click(force=True)  # it says why
    expect(error).to_have_text(said)
    page.evaluate("document.querySelector('.lab .error').textContent = ''")
    page.evaluate(DROP, ["mine.csv", OWN])
    expect(error).to_have_text(said)
    expect(lab.text("trace")).to_contain_text("the same 40 requests")


def test_a_folder_that_is_dropped_is_refused_in_a_sentence(lab: Lab, tmp_path: Path) -> None:
    page = lab.open("/index.html?view=lab").page
    folder = tmp_path / "traces"
    folder.mkdir()
    devtools = page.context.new_cdp_session(page)
    box = page.locator(".lab .sentence").bounding_box()
    data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send(
            "Input.dispatchDragEvent",
            {"type": kind, "x": box["x"] + 5, "y": box["y"] + 5, "data": data},
        )
    expect(page.locator(".lab .error")).to_have_text(
        "traces: it cannot be read. Choose a CSV file."
    )
    expect(lab.text("trace")).to_contain_text("the same 40 requests")


def test_a_trace_with_times_of_a_real_clock_counts_from_its_first_request(lab: Lab) -> None:
    page, seen = lab.open("/index.html?view=lab").page, []
    for since_s in (0, 1_000, 1_700_000_000):
        rows = [f"{since_s + i / 2},200,{400 if i % 3 else 20}\n" for i in range(60)]
        page.evaluate(DROP, [f"from_{since_s}.csv", "arrival_s,prompt,output\n" + "".join(rows)])
        expect(lab.text("trace")).to_contain_text(f"from_{since_s}.csv")
        whole = lab.text("clock").inner_text()
        page.get_by_role("button", name="Step").click()
        words = [lab.text("lab_sentence").inner_text(), lab.text("clock").inner_text()]
        seen.append([whole, *words, lab.text("speed_first").inner_text()])
        assert words[0].startswith("The static batch waits for its longest answer")
        # The clock ends with the slower replay.
        assert whole in lab.total("Time in all")
    assert seen[0] == seen[1] == seen[2]


def test_a_trace_that_comes_at_once_has_no_load_curve(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    load = page.locator('[data-chart="load"]')
    load.get_by_text("The same as a table").click()
    expect(load.locator(".line-first")).to_contain_text("within the limit up to about")
    assert load.locator("tr").count() > 12
    page.evaluate(DROP, ["rush.csv", "arrival_s,prompt,output\n" + "9,200,50\n" * 60])
    said = "a trace whose requests all come at once has no rate"
    expect(load.locator(".line-first")).to_have_text(f"Static: {said}")
    expect(load.locator(".line-second")).to_have_text(f"Continuous: {said}")
    expect(load.locator("tr")).to_have_count(1)
    expect(load.locator("[data-axis] li")).to_have_count(0)


def test_what_few_need_stands_behind_more(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab&rate=8").page
    expect(lab.setting("burst")).to_be_hidden()
    page.get_by_text("More: memory").click()
    lab.enter("burst", "10")
    expect(lab.text("trace")).to_contain_text("8.00 a second in groups of 10")
    lab.setting("preemption").select_option("swap")
    address_has(page, "preemption=swap")
    lab.enter("watermark", "2")
    expect(page.locator(".lab .error")).to_have_text(
        "Kept free: allowed is a number from 0 to 1. It stays at 0.01."
    )


def test_on_a_phone_what_can_be_chosen_is_not_cut(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 390, "height": 844})
    lab.open("/index.html?view=lab")
    lab.page.locator(".lab-more summary").click()
    cut = lab.page.evaluate(
        """() => [...document.querySelectorAll(".lab select")].filter(it => {
          const whole = it.cloneNode(true);
          whole.style.cssText = "position: absolute; width: max-content; max-width: none";
          it.after(whole);
          const isCut = it.offsetWidth < whole.offsetWidth;
          whole.remove();
          return isCut && it.checkVisibility();
        }).map(it => it.name)"""
    )
    assert cut == []
    assert lab.page.evaluate("document.documentElement.scrollWidth") == 390


def test_who_gives_way_is_in_no_slot_in_either_number(lab: Lab) -> None:
    asked = "params_b=38&slots=16&requests=120&policy=continuous&other_policy=chunked"
    page = lab.open(f"/index.html?view=lab&{asked}").page
    assert int(lab.total("Preemptions")[0]) > 0
    for place, run in enumerate(("first", "second")):
        lab.says(f"busy_{run}", lab.total("Slots busy")[place].removesuffix(" %"))
        lab.says(f"speed_{run}", lab.total("Tokens per second")[place])
    # Whose reader waits longest gave way: that is drawn, too.
    expect(lab.text("legend_gaps_first")).to_have_text(re.compile(r"longest wait .*; it gave way"))
    table = page.locator(".run.first details")
    table.get_by_text("The same as a table").click()
    expect(table.locator("th").first).to_have_text("time, s")
    titles = table.locator("th").all_text_contents()
    assert "gave way" in titles
    assert "held" not in titles
    at = titles.index("gave way")
    rows = table.locator("tr").filter(has=page.locator("td"))
    away = [int(row.locator("td").nth(at).inner_text()) for row in rows.all()]
    assert len(away) == 21
    assert max(away) > 0 == away[0] == away[-1]


def test_while_it_plays_what_is_said_is_of_that_moment(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab").page
    # 40 requests are there at once, and eight are taken.
    queue = lab.text("queue_first")
    expect(queue).to_have_text(re.compile("^at most 32 requests at once; over the run "))
    whole = lab.text("cache_first").inner_text()
    page.locator(".scrub").fill("0")
    lab.says("queue_first", "32 requests now")
    expect(lab.text("cache_first")).to_contain_text("taken now; of that,")
    page.locator(".scrub").fill("1000")
    lab.says("cache_first", whole)
    expect(page.get_by_role("heading", name="Totals of the whole run")).to_be_visible()


def test_the_clock_counts_from_the_first_arrival_as_the_totals_do(lab: Lab) -> None:
    page = lab.open("/index.html?view=lab&rate=0.01&requests=2&seed=3").page
    assert lab.text("clock").inner_text() in lab.total("Time in all")
    page.locator(".scrub").fill("0")
    lab.says("clock", "0 ms")
    # The first request comes long after the clock of the trace has begun; now it is there.
    page.get_by_role("button", name="Step").click()
    expect(lab.text("busy_first")).to_have_text(re.compile("^1[23]$"))
    ticks = page.locator(".run.first .time li")
    expect(ticks.first).to_have_text("0 s")
    assert ticks.count() > 2


def test_the_bar_says_the_lengths_that_are_served(lab: Lab) -> None:
    lab.open("/index.html?view=lab")
    lab.says("request", "512 in, 500 out")
    lab.page.locator(".lab").get_by_role("button", name="Leave").click()
    lab.says("request", "8,192 in, 500 out")


def test_settings_that_are_none_are_told(lab: Lab) -> None:
    lab.open("/index.html?view=lab&slots=many&policy=fastest")
    expect(lab.page.locator(".notes")).to_contain_text("slots=many")
    expect(lab.page.locator(".notes")).to_contain_text("policy=fastest")


def test_of_what_was_replayed_before_nothing_is_left(lab: Lab) -> None:
    lab.open("/index.html?view=lab")
    expect(lab.page.locator(".totals")).to_be_visible()
    lab.page.evaluate(
        """() => {
          history.replaceState(null, "", "?view=lab&output=300000&context=1048576&requests=2000");
          dispatchEvent(new PopStateEvent("popstate"));
        }"""
    )
    expect(lab.text("lab_sentence")).to_contain_text("So many tokens take too long here")
    for part in (".totals", ".run.first", ".player"):
        expect(lab.page.locator(f".lab {part}")).to_be_hidden()


@pytest.mark.parametrize(
    "looks", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}]
)
def test_axe_finds_nothing(browser: Browser, site: str, looks: dict[str, str]) -> None:
    lab = Lab(browser, site, **looks).open("/index.html?view=lab")
    page = lab.page
    page.add_script_tag(path=AXE)
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(RUN) == []
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
    lab.close()
