"""Charts that are saved, and the page that is printed, by what is in them."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.test_accessibility import AXE, RUN
from tests.helpers.explorer import Explorer

SVG = "{http://www.w3.org/2000/svg}"


def saved(explorer: Explorer, place: Locator, form: str) -> bytes:
    with explorer.page.expect_download() as download:
        place.get_by_role("button", name=f"Save the chart as {form}").click()
    assert download.value.suggested_filename.endswith(f".{form.lower()}")
    return Path(download.value.path()).read_bytes()


def test_the_curve_that_is_shown_is_saved_as_a_picture_and_as_numbers(
    browser: Browser, site: str
) -> None:
    # 14e9 + 8 · 1.0737e9 bytes at 3.3e12 a second: 1,169 tokens/s; at twice the bandwidth 2,337.
    explorer = Explorer(browser, site, color_scheme="dark")
    explorer.open("/index.html?view=explorer&study=compare&a=defaults&bandwidth_factor=2")
    panel = explorer.page.locator(".study.compare")
    drawing = ElementTree.fromstring(saved(explorer, panel, "SVG"))
    words = [each.text for each in drawing.iter(f"{SVG}text")]
    assert words[0] == "7B class · 1 × H100 80GB, 2× bandwidth · ceiling · 8,192 in, 500 out"
    assert "B, as the controls stand" in words
    assert "A, as pinned" in words
    assert words[-1] == "all users together (tokens/s) over batch, B (sequences)"
    lines = [each.get("stroke") for each in drawing.iter(f"{SVG}polyline")]
    assert lines == ["#586174", "#586174", "#4a48cf"]  # of the light theme, A's in two pieces
    picture = Image.open(io.BytesIO(saved(explorer, panel, "PNG"))).convert("RGB")
    assert picture.width == 1520
    assert picture.getpixel((2, 2)) == (255, 255, 255)
    assert (74, 72, 207) in {colour for _, colour in picture.getcolors(1 << 20)}
    rows = list(csv.DictReader(saved(explorer, panel, "CSV").decode().splitlines()))
    (row,) = (each for each in rows if each["batch"] == "8")
    assert float(row["tokens_per_s"]) == pytest.approx(8 * 6.6e12 / (14e9 + 8 * 1_073_741_824))
    assert float(row["tokens_per_s of A"]) == pytest.approx(float(row["tokens_per_s"]) / 2)
    assert row["fits"] == "true"
    explorer.close()


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("Memory", "memory 80 GB"),
        ("Roofline", "decode 4.96"),
        ("Step time", "reading memory"),
        ("Throughput", "does not fit beyond 61"),
    ],
)
def test_each_chart_of_the_widget_is_saved(explorer: Explorer, tab: str, words: str) -> None:
    explorer.open("/index.html")
    explorer.tab(tab).click()
    explorer.page.get_by_role("button", name="Explorer", exact=True).click()
    explorer.tab("Take it away").click()
    panel = explorer.page.locator(".study.take")
    drawing = ElementTree.fromstring(saved(explorer, panel, "SVG"))
    assert words in [each.text for each in drawing.iter(f"{SVG}text")]
    assert saved(explorer, panel, "PNG").startswith(b"\x89PNG")


def test_one_page_is_printed(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer&study=take&batch=16&a=defaults")
    page = explorer.page
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    expect(page.locator(".printed")).to_have_count(0)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    sheet = page.locator(".printed")
    for text in (
        "31.2 GB of 80 GB",
        "1,690 tokens/s",
        "A 1,170 · 1.45×",
        "context 8,192 tokens, batch 16, weights bf16, KV cache bf16",
        "The only difference is batch",
        "Each step reads 14.0 GB of weights",
        "a=defaults",
    ):
        expect(sheet).to_contain_text(text)
    assert sheet.locator("svg polyline").count() >= 2
    expect(page.locator("main")).to_be_hidden()
    page.add_script_tag(path=AXE)
    assert page.evaluate(RUN.replace("passes.length < 20", "passes.length < 8")) == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(sheet).to_have_count(0)


def test_whoever_has_left_the_explorer_prints_what_stands_there(explorer: Explorer) -> None:
    explorer.open("/index.html?view=explorer")
    explorer.page.get_by_role("button", name="Leave").click()
    expect(explorer.page.locator(".explorer")).to_have_count(0)
    explorer.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(explorer.page.locator(".printed")).to_have_count(0)


def test_a_map_is_saved_with_what_its_colours_stand_for(browser: Browser, site: str) -> None:
    explorer = Explorer(browser, site, color_scheme="dark")
    explorer.open("/index.html?view=explorer&study=sweep&over=batch&against=context")
    place = explorer.page.locator(".study.sweep [data-chart=map]")
    drawing = ElementTree.fromstring(saved(explorer, place, "SVG"))
    words = [each.text for each in drawing.iter(f"{SVG}text")]
    assert words[1].startswith("from ")
    assert words[1].endswith("; hatched: does not fit")
    painted = [each.get("fill") for each in drawing.iter(f"{SVG}rect")]
    assert painted.count("#4a48cf") > 100
    assert "url(#beyond)" in painted
    rows = list(csv.DictReader(saved(explorer, place, "CSV").decode().splitlines()))
    (row,) = (each for each in rows if (each["batch"], each["context"]) == ("8", "8192"))
    assert float(row["tokens_per_s"]) == pytest.approx(8 * 3.3e12 / (14e9 + 8 * 1_073_741_824))
    explorer.close()
