"""Colours, once: the style sheet's variables and the figures' paint come from here."""

from __future__ import annotations

#: Token → (light, dark). Three fixed hues mean the same everywhere: weights, KV, compute.
#: The hues are told apart by people with any common colour blindness (Okabe & Ito, 2008),
#: and no meaning rests on colour alone.
TOKENS: dict[str, tuple[str, str]] = {
    "page": ("#f5f6fa", "#0f1218"),
    "card": ("#ffffff", "#181c25"),
    "sunken": ("#e6e9f1", "#2a3040"),
    "line": ("#dfe3ec", "#2c3242"),
    "control-line": ("#868ea0", "#737c92"),
    "ink": ("#171d2a", "#edf0f7"),
    "muted": ("#586174", "#a3acbf"),
    "accent": ("#4a48cf", "#a9a6ff"),
    "on-accent": ("#ffffff", "#12131a"),
    "weights": ("#2b6cdb", "#5b98f5"),
    "kv": ("#e69f00", "#f0b33a"),
    "compute": ("#0b8f6c", "#37c79f"),
    "draft": ("#8a93a6", "#8a93a6"),
    "reserve": ("#868ea0", "#737c92"),
    "comms": ("#c2571a", "#ff9d66"),
    "total": ("#4a48cf", "#a9a6ff"),
    "user": ("#b0308f", "#f08fd4"),
    "danger": ("#b3122a", "#ff8f95"),
    "danger-fill": ("#c8152e", "#c8152e"),
    "danger-wash": ("#fbeaec", "#331b22"),
}

FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'


def style_sheet() -> str:
    """The tokens as CSS variables, for light, dark, and the reader's own preference."""

    def variables(column: int) -> str:
        return "".join(f"--{name}:{pair[column]};" for name, pair in TOKENS.items())

    light, dark = variables(0), variables(1)
    return (
        f":root{{color-scheme:light;{light}--font:{FONT}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}\n"
        f':root[data-theme="light"]{{color-scheme:light;{light}}}\n'
        f':root[data-theme="dark"]{{color-scheme:dark;{dark}}}\n'
    )


def material() -> dict[str, dict[str, object]]:
    """The same colours and type for the Material controls, as their theme for light and dark."""

    def theme(column: int) -> dict[str, object]:
        token = {name: pair[column] for name, pair in TOKENS.items()}
        return {
            "palette": {
                "primary": {"main": token["accent"], "contrastText": token["on-accent"]},
                "background": {"default": token["page"], "paper": token["card"]},
                "text": {"primary": token["ink"], "secondary": token["muted"]},
            },
            "typography": {
                "fontFamily": FONT,
                "button": {"textTransform": "none", "letterSpacing": 0, "fontSize": 14},
            },
        }

    return {"light": theme(0), "dark": theme(1)}
