"""In a lesson: the custom element, messages over origins, a sandbox, a file from disk."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Frame, Page, expect

from app.build.export import exported, single_file
from app.contract import FROM_FRAME, settings
from app.controls import CONTROLS
from calc.inputs.table import INPUTS
from tests.helpers.refusals import REFUSALS
from tests.helpers.site import static_site

HOST = """<!DOCTYPE html><html><head><link rel="icon" href="data:,"></head><body>
<iframe id="frame" src="{page}" {attributes} style="width: 1200px; height: 900px"></iframe>
<script>
  window.heard = [];
  addEventListener("message", event => heard.push(event.data));
  window.send = message => document.getElementById("frame").contentWindow.postMessage(message, "*");
  window.say = (type, content) =>
    send({{source: "decode-arithmetic", version: 1, type, ...content}});
  window.last = type => heard.filter(each => each.type === type).at(-1);
</script></body></html>"""


@pytest.fixture
def host(browser: Browser, site: str, tmp_path: Path) -> Iterator[callable]:
    """Opens a host page on an origin of its own around the widget."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})

    with static_site(tmp_path) as around:

        def open_host(query: str = "", *, heard: bool = True) -> Page:
            source = f"{site}/index.html{query}"
            (tmp_path / "host.html").write_text(HOST.format(page=source, attributes=""))
            page.goto(f"{around}/host.html")
            inside(page).wait_for_selector("html[data-ready]")
            if heard:
                page.wait_for_function("last('ready') && last('resize')")
            return page

        yield open_host
        page.close()


def inside(page: Page) -> Frame:
    page.wait_for_function("frames.length > 0")
    return page.frames[1]


def meter(page: Page, text: str) -> None:
    expect(page.frame_locator("iframe").first.locator('[data-text="meter"]')).to_have_text(text)


def test_messages_over_origins(host) -> None:
    page = host()
    page.evaluate("say('setState', {scenario: {context: 32768, gqa: 1}})")
    meter(page, "151 GB asked, 71.4 GB over")
    page.wait_for_function("last('state')?.scenario.context === 32768")
    page.evaluate("heard.length = 0; say('getState')")
    page.wait_for_function("last('state')")
    state = page.evaluate("last('state')")
    assert (state["source"], state["version"]) == ("decode-arithmetic", 1)
    assert state["scenario"]["gqa"] == 1
    assert state["scenario"]["prompt"] is None
    page.evaluate("say('reset')")
    meter(page, "22.6 GB of 80 GB")
    # A reader's own move is told, too, and the address inside follows.
    exact = page.frame_locator("iframe").locator('[data-exact="batch"]')
    exact.fill("64")
    exact.press("Enter")
    page.wait_for_function("last('state').scenario.batch === 64")


def test_what_is_said_is_in_the_table_with_just_its_fields(host) -> None:
    page = host("?exercise=int4-one-reader")
    inside(page).locator(".pill").first.click()
    inside(page).get_by_role("button", name="Lock in").click()
    page.evaluate("say('setState', {scenario: {batch: 0}}); say('getState')")
    page.wait_for_function("last('error') && last('state') && last('answer')")
    said = [each for each in page.evaluate("heard") if isinstance(each, dict)]
    for each in said:
        fields = each.keys() - {"source", "version", "type"}
        assert fields == set(FROM_FRAME[each["type"]].fields)
    assert {each["type"] for each in said} == FROM_FRAME.keys()


def test_a_state_that_was_told_can_be_set_again(host) -> None:
    page = host("?model=llama-3-8b&gpus=2")
    page.evaluate("say('getState')")
    page.wait_for_function("last('state')?.scenario.model === 'llama-3-8b'")
    page.evaluate("say('setState', {scenario: {...last('state').scenario, batch: 64}})")
    page.wait_for_function("last('state').scenario.batch === 64")
    assert page.evaluate("last('error')") is None


def test_height_is_told_to_lessons_and_learning_systems(host) -> None:
    page = host("?show=meter&lock=all")
    height = page.evaluate("last('resize').height")
    assert 100 < height < 300
    texts = [each for each in page.evaluate("heard") if isinstance(each, str)]
    assert f'{{"subject":"lti.frameResize","height":{height}}}' in texts


def test_reset_in_a_frame_leads_to_the_lesson_s_set_up(host) -> None:
    page = host("?context=32768")
    page.evaluate("say('setState', {scenario: {batch: 2}})")
    frame = page.frame_locator("iframe")
    expect(frame.locator('[data-exact="batch"]')).to_have_value("2")
    frame.get_by_role("button", name="Reset").click()
    expect(frame.locator('[data-exact="batch"]')).to_have_value("8")
    expect(frame.locator('[data-exact="context"]')).to_have_value("32,768")


BAD = [
    "null", "1", "'text'", "[]", "{}", "{source: 'decode-arithmetic'}",
    "{source: 'other', version: 1, type: 'reset'}",
    "{source: 'decode-arithmetic', version: 2, type: 'setState', scenario: {batch: 1}}",
    "{source: 'decode-arithmetic', version: 1, type: 'constructor'}",
    "{source: 'decode-arithmetic', version: 1, type: '<img src=x onerror=window.hit=1>'}",
    "new Array(1e6).fill('x').join('')",
    "Object.fromEntries(Array.from({length: 1e5}, (_, i) => ['k' + i, i]))",
]  # fmt: skip
WRONG = [
    "null", "[]", "'batch'", "{batch: 0}", "{batch: NaN}", "{batch: -1}", "{batch: 1e400}",
    "{batch: null}", "{batch: {}}", "{batch: [8, 9]}", "{batch: 'x'.repeat(1e6)}",
    "{batch: 2, context: 'long'}", "{nothing: 1}", "JSON.parse('{\"__proto__\": 1}')",
    "{constructor: 1}", "{weights: '<script>'}", "{weights: 'toString'}", "{lock: 'all'}",
    "{kv_heads: 3}", "{active_b: 3}", "{gqa: 3}", "{experts: 8}", "{heads: 7, batch: 2}",
]  # fmt: skip


def test_a_frame_that_is_shown_later_says_nothing_of_what_it_hides(
    browser: Browser, site: str, tmp_path: Path
) -> None:
    host = HOST.format(page=f"{site}/index.html?batch=16", attributes="hidden")
    (tmp_path / "host.html").write_text(host)
    page = browser.new_page()
    with static_site(tmp_path) as around:
        page.goto(f"{around}/host.html")
        page.wait_for_function("last('ready')")
        assert page.evaluate("last('error')") is None
        page.evaluate("document.getElementById('frame').hidden = false")
        meter(page, "31.2 GB of 80 GB")
        expect(page.frame_locator("iframe").locator(".notes")).to_be_hidden()
    page.close()


def test_malformed_huge_and_wrong_messages_change_nothing(host) -> None:
    page = host()
    for message in BAD:
        page.evaluate(f"send({message})")
    for scenario in WRONG:
        page.evaluate("heard.length = 0")
        page.evaluate(f"say('setState', {{scenario: {scenario}}})")
        page.wait_for_function("last('error')")
        assert len(page.evaluate("last('error').message")) < 300
    meter(page, "22.6 GB of 80 GB")
    page.evaluate("say('setState', {scenario: {batch: 64}})")
    meter(page, "82.7 GB asked, 2.72 GB over")
    assert inside(page).evaluate("typeof hit") == "undefined"
    assert len(BAD) + len(WRONG) >= 30


def test_what_may_not_go_together_is_said_as_everywhere(host) -> None:
    page = host()
    for typed, said in REFUSALS:
        page.evaluate("scenario => { heard.length = 0; say('setState', {scenario}); }", typed)
        page.wait_for_function("last('error')")
        assert page.evaluate("last('error').message") == said
    meter(page, "22.6 GB of 80 GB")


def test_only_the_configured_origin_and_the_parent_are_heard(host, site: str) -> None:
    page = host("?origin=https://lms.example", heard=False)
    page.evaluate("say('setState', {scenario: {batch: 64}})")
    # A message from the frame itself is no message from the page around.
    inside(page).evaluate(
        "postMessage({source: 'decode-arithmetic', version: 1, type: 'setState',"
        " scenario: {batch: 64}}, '*')"
    )
    inside(page).evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    meter(page, "22.6 GB of 80 GB")
    assert page.evaluate("heard") == []


def test_what_is_no_origin_is_said_to_the_parent_s(host) -> None:
    page = host("?origin=lms.example")
    page.wait_for_function("last('error')")
    complaint = "origin=lms.example: allowed is an origin, such as https://lms.example"
    assert page.evaluate("last('error').message") == complaint
    page.evaluate("say('setState', {scenario: {batch: 64}})")
    meter(page, "82.7 GB asked, 2.72 GB over")


def test_an_origin_is_the_same_however_it_is_written(host) -> None:
    page = host()
    around = page.evaluate("location.origin")
    page = host(f"?origin={around.upper()}/")
    page.evaluate("say('setState', {scenario: {batch: 64}})")
    meter(page, "82.7 GB asked, 2.72 GB over")


def test_a_sandboxed_single_file(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(single_file())
    (tmp_path / "host.html").write_text(
        HOST.format(page="page.html", attributes='sandbox="allow-scripts"')
    )
    with static_site(tmp_path) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        trouble = []
        page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{address}/host.html")
        inside(page).wait_for_selector("html[data-ready]")
        page.evaluate("say('setState', {scenario: {context: 32768, gqa: 1}})")
        meter(page, "151 GB asked, 71.4 GB over")
        slider = page.frame_locator("iframe").locator('[data-control="gqa"] .MuiSlider-thumb input')
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        meter(page, "48.4 GB of 80 GB")
        assert trouble == []
        page.close()


def test_the_single_file_opens_from_disk_offline(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(single_file())
    context = browser.new_context(offline=True)
    page = context.new_page()
    trouble = []
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("request", lambda r: trouble.append(r.url) if r.url.startswith("http") else None)
    page.goto((tmp_path / "page.html").as_uri() + "?context=32768&gqa=1")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator('[data-text="meter"]')).to_have_text("151 GB asked, 71.4 GB over")
    assert trouble == []
    context.close()


@pytest.mark.parametrize("place", ["server", "disk", "sandbox"])
def test_the_example_lesson(
    browser: Browser, site: str, exported_folder: Path, tmp_path: Path, place: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    if place == "server":
        page.goto(f"{site}/example-lesson.html")
        lesson = page
    elif place == "disk":
        page.goto((exported_folder / "example-lesson.html").as_uri())
        lesson = page
    else:
        frame = f'<iframe sandbox="allow-scripts" src="{site}/example-lesson.html"'
        (tmp_path / "host.html").write_text(f'{frame} width="1200" height="2600"></iframe>')
        page.goto((tmp_path / "host.html").as_uri())
        lesson = page.frame_locator("iframe")
    said = ["22.6 GB of 80 GB", *["151 GB asked, 71.4 GB over"] * 2, "48.4 GB of 80 GB"]
    for position, text in enumerate(said):
        element = lesson.locator("decode-arithmetic").nth(position)
        element.scroll_into_view_if_needed()
        frame = lesson.frame_locator("decode-arithmetic iframe").nth(position)
        expect(frame.locator('[data-text="meter"]')).to_have_text(text, timeout=15_000)
    first = lesson.locator("decode-arithmetic iframe")
    expect(first.nth(2)).to_have_attribute("title", re.compile("Without shared heads"))
    # Sized to its content: a meter alone is low.
    expect(first.nth(2)).to_have_css("height", re.compile(r"^[1-4]\d\dpx$"))
    page.close()


LESSON = """<!DOCTYPE html><link rel="icon" href="data:,">
<script {script}></script><decode-arithmetic {attributes}></decode-arithmetic>"""
NO_PAGE = (
    "<decode-arithmetic>: where the page is, embed.js knows from a script tag with src and without"
    " type=module; or give this element a src."
)


@pytest.fixture
def lesson(browser: Browser, site: str, tmp_path: Path) -> Iterator[callable]:
    """Opens a lesson on the widget's own origin, with an element that is written like this."""
    page = browser.new_page()
    page.said, page.errors = [], []
    page.on("console", lambda m: page.said.append(m.text) if m.type == "warning" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))

    def open_lesson(attributes: str, script: str = 'src="embed.js"') -> Page:
        html = LESSON.format(script=script, attributes=attributes)
        answer = {"body": html, "content_type": "text/html; charset=utf-8"}
        page.route(f"{site}/lesson.html", lambda route: route.fulfill(**answer))
        page.goto(f"{site}/lesson.html")
        page.wait_for_function("!!customElements.get('decode-arithmetic')")
        return page

    yield open_lesson
    page.close()
    assert page.errors == []


@pytest.mark.parametrize(
    "src",
    [
        "javascript:parent.hit=1",
        " \tJava\nScript:parent.hit=1",
        "data:text/html,<script>parent.hit=1</script>",
        "blob:null/1",
        "about:blank",
        "mailto:a@b.example",
        "https://",
        "http://[",
        "//[x]/",
        "x:" + "y" * 10_000,
    ],
)
def test_an_address_is_one_of_a_page_or_the_element_says_so(lesson, src: str) -> None:
    page = lesson(f'src="{src}"')
    said = page.locator("decode-arithmetic").text_content()
    assert re.fullmatch(
        r'<decode-arithmetic>: src=".{1,40}" is no address of http, https or file\.', said
    )
    assert page.said == [said]
    expect(page.locator("iframe")).to_have_count(0)
    assert page.evaluate("typeof hit") == "undefined"


def test_an_address_of_its_own_is_one_beside_the_lesson_too(lesson, site: str) -> None:
    page = lesson('src="index.html?units=GiB" batch="64"')
    found = page.locator("iframe").get_attribute("src")
    assert found == f"{site}/index.html?units=GiB&batch=64"


def test_what_is_said_before_the_page_hears_it_is_not_lost(lesson) -> None:
    page = lesson("")
    page.evaluate("""() => {
      const made = document.createElement("decode-arithmetic");
      for (let times = 0; times < 1000; times++) made.getState();
      made.setState({context: 32768});
      document.querySelector("decode-arithmetic").replaceWith(made);
      made.setState({gqa: 1});
      const heard = window.heard = [];
      made.addEventListener("state", event => heard.push(event.detail));
    }""")
    meter(page, "151 GB asked, 71.4 GB over")
    # Where it stands elsewhere the page is another, and hears from its own beginning on.
    page.evaluate("""() => {
      const made = document.querySelector("decode-arithmetic");
      document.body.append(made);
      made.setState({batch: 64});
    }""")
    meter(page, "82.7 GB asked, 2.72 GB over")
    assert page.evaluate("heard.length") < 120


def test_back_does_not_move_what_is_locked(host) -> None:
    page = host("?lock=batch&batch=16")
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Exercises").click()
    frame.get_by_role("button", name="Leave").click()
    page.evaluate("say('setState', {scenario: {batch: 64}})")
    expect(frame.locator('[data-exact="batch"]')).to_have_value("64")
    page.wait_for_function("last('state').scenario.batch === 64")
    page.evaluate("history.back()")
    expect(frame.locator(".exercise")).to_be_visible()
    page.evaluate("history.back()")
    expect(frame.locator(".exercise")).to_have_count(0)
    expect(frame.locator('[data-exact="batch"]')).to_have_value("64")


def test_reset_leads_to_the_frame_s_set_up_when_the_reader_comes_back(host) -> None:
    page = host("?batch=16")
    entry = page.frame_locator("iframe").locator('[data-exact="batch"]')
    entry.fill("96")
    entry.press("Enter")
    inside(page).wait_for_function("location.search === '?batch=96'")
    inside(page).evaluate("location.reload()")
    page.wait_for_function("heard.filter(({type}) => type === 'ready').length === 2")
    expect(entry).to_have_value("96")
    page.frame_locator("iframe").get_by_role("button", name="Reset").click()
    expect(entry).to_have_value("16")


def test_a_library_of_the_lesson_takes_no_key_away(lesson) -> None:
    page = lesson('show="meter"')
    page.add_init_script("Element.prototype.show = Element.prototype.hide = function() {}")
    page.reload()
    expect(page.frame_locator("iframe").locator(".meter")).to_be_visible()
    expect(page.frame_locator("iframe").locator(".readouts")).to_be_hidden()


def test_a_copy_of_an_element_has_one_frame_that_hears_and_tells(lesson) -> None:
    page = lesson('batch="16"')
    expect(page.locator("iframe")).to_have_count(1)
    page.evaluate("""() => {
      const first = document.querySelector("decode-arithmetic");
      const heard = window.heard = [], copy = first.cloneNode(true);
      first.replaceWith(copy);
      copy.addEventListener("state", event => heard.push(event.detail.scenario.batch));
      copy.setState({batch: 64});
    }""")
    page.wait_for_function("heard.at(-1) === 64")
    expect(page.locator("iframe")).to_have_count(1)


def test_a_script_that_does_not_know_where_it_is_says_so(lesson, exported_folder: Path) -> None:
    page = lesson("", 'type="module" src="embed.js"')
    expect(page.locator("decode-arithmetic")).to_have_text(NO_PAGE)
    assert page.said == [NO_PAGE]
    page = lesson("", f"data-pasted>{(exported_folder / 'embed.js').read_text()}</script><script")
    expect(page.locator("decode-arithmetic")).to_have_text(NO_PAGE)
    page = lesson('src="index.html"', 'type="module" src="embed.js"')
    meter(page, "22.6 GB of 80 GB")


def test_an_image_is_not_taken_for_the_script(lesson, site: str) -> None:
    image = '<img name="{name}" src="https://evil.example/embed.js" hidden>'
    page = lesson("", f"></script>{image.format(name='currentScript')}<script src='embed.js'")
    assert page.locator("iframe").get_attribute("src") == f"{site}/index.html"
    page = lesson(
        'src="index.html"', f"></script>{image.format(name='baseURI')}<script src='embed.js'"
    )
    assert page.locator("iframe").get_attribute("src") == f"{site}/index.html"


@pytest.mark.parametrize("height", ["100%", "auto", "", "0", "-5", "1e3", "20001", "600em", "٦"])
def test_a_height_that_is_none_is_said_and_follows_the_content(lesson, height: str) -> None:
    page = lesson(f'show="meter" height="{height}"')
    allowed = "is no number of pixels from 1 to 20000: the frame follows its content"
    assert page.said == [f'<decode-arithmetic>: height="{height}" {allowed}.']
    expect(page.locator("iframe")).to_have_css("height", re.compile(r"^(1\d\d|2\d\d)px$"))


@pytest.mark.parametrize("height", ["600", "600px"])
def test_a_height_is_a_number_of_pixels(lesson, height: str) -> None:
    page = lesson(f'show="meter" height="{height}"')
    meter(page, "22.6 GB of 80 GB")
    expect(page.locator("iframe")).to_have_css("height", "600px")
    assert page.said == []


def test_what_html_knows_is_no_key_and_every_key_is_one(lesson) -> None:
    html = """id class style title lang dir hidden slot part is role aria-label aria-hidden tabindex
        loading name width allow allowfullscreen sandbox frameborder scrolling referrerpolicy
        data-x x-data onclick onready v-if v-on:click translate draggable contenteditable inert
        nonce accesskey autofocus popover spellcheck itemprop exportparts"""
    keys = [*INPUTS, *settings(CONTROLS)]
    page = lesson(" ".join(f'{name}="1"' for name in [*html.split(), *keys, "batches"]))
    address = page.locator("decode-arithmetic iframe").get_attribute("src")
    assert list(parse_qs(urlsplit(address).query)) == [*keys, "batches"]


def test_the_guide_s_frame_in_a_markdown_page(browser: Browser, site: str, tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs/embedding.md").read_text()
    frame = re.search(r"<iframe .*?</iframe>", guide, re.S)[0]
    frame = frame.replace("https://your.site/widget", site)
    lesson = f"# A lesson\n\nBefore.\n\n{frame}\n\nAfter.\n"
    html = MarkdownIt("commonmark", {"html": True}).render(lesson)
    (tmp_path / "lesson.html").write_text(f'<link rel="icon" href="data:,">{html}')
    with static_site(tmp_path) as around:
        page = browser.new_page()
        page.goto(f"{around}/lesson.html")
        meter(page, "151 GB asked, 71.4 GB over")
        expect(page.locator("iframe")).to_have_attribute("title", "Decode arithmetic")
        page.close()


def test_embed_script_is_small_and_keeps_to_itself(browser: Browser, site: str) -> None:
    source = exported()["embed.js"]
    assert len(gzip.compress(source, 9)) <= 4096
    assert source.isascii()  # a lesson in another encoding reads the script in that, too
    page = browser.new_page()
    page.goto(f"{site}/embed.js")  # shown as text: a document without scripts of its own
    before = set(page.evaluate("Object.getOwnPropertyNames(window)"))
    page.add_script_tag(url=f"{site}/embed.js")
    assert set(page.evaluate("Object.getOwnPropertyNames(window)")) == before
    page.close()


def test_the_placeholder_shows_the_page_s_own_numbers(browser: Browser, site: str) -> None:
    picture = re.search(r'const PICTURE = "(data:[^"]+)"', exported()["embed.js"].decode())[1]
    page = browser.new_page()
    page.goto(f"{site}/index.html?show=meter,readouts")
    numbers = page.locator('[data-text="meter"]').inner_text()
    total = page.locator('[data-text="tokens_per_s"]').inner_text()
    user = page.locator('[data-text="tokens_per_s_per_user"]').inner_text()
    page.goto(picture)
    text = page.evaluate("document.documentElement.textContent")
    assert numbers in text
    assert f"{total} tokens/s together, {user} for one user" in text
    page.close()
