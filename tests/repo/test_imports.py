"""Who may import whom, each in a fresh interpreter."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "calc": {"app", "panel", "bokeh", "param", "tornado", "jinja2"},
    "app.tracing.module": {"panel", "bokeh", "param", "tornado"},
    "app.controls": {"panel", "bokeh", "tornado", "app.build.page", "app.build.figures"},
    "app.inputs": {"panel", "bokeh", "tornado", "param"},
    "app.build.figures": {"calc.evaluate", "app.build.page", "calc.inputs", "tornado"},
    "app.theme": {"calc", "panel", "bokeh"},
    "app.build.page": {"app.build.export", "app.server.serve"},
    "app.build.export": {"app.server.serve"},
    "app.__main__": {"panel", "bokeh", "tornado", "param", "numpy", "calc"},
}


@pytest.mark.parametrize("module", FORBIDDEN)
def test_direction_of_imports(module):
    script = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert FORBIDDEN[module].isdisjoint(loaded)


def modules() -> dict[str, Path]:
    found = {}
    for path in [*ROOT.glob("calc/**/*.py"), *ROOT.glob("app/**/*.py")]:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{each.name}" for each in node.names}
    return names


def test_no_circles_and_nobody_imports_main():
    graph = {name: imported(path) & modules().keys() for name, path in modules().items()}
    assert all("app.__main__" not in used for used in graph.values())
    # `calc` itself only gathers the public names of its modules.
    reached: dict[str, set[str]] = {}

    def reach(name: str, trail: tuple[str, ...]) -> set[str]:
        assert name not in trail, f"circle: {' → '.join([*trail, name])}"
        if name not in reached:
            used = graph[name] - {"calc", "app", name}
            reached[name] = used.union(*(reach(each, (*trail, name)) for each in used))
        return reached[name]

    for name in graph:
        reach(name, ())


def outside(package: str) -> set[str]:
    """What the modules of a package import from beyond it and the standard library."""
    names = {
        name
        for module, path in modules().items()
        if f"{module}.".startswith(f"{package}.")
        for name in imported(path)
        if not f"{name}.".startswith(f"{package}.")
    }
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names


def test_calc_uses_numpy_and_the_standard_library_only():
    assert outside("calc") == {"numpy"}


def test_the_server_uses_tornado_and_the_standard_library_only():
    # brotli is used where it is there.
    assert outside("app.server") == {"tornado", "brotli"}


@pytest.mark.parametrize(
    "module",
    [
        "calc",
        "app.controls",
        "app.inputs",
        "app.build.page",
        "app.build.export",
        "app.server.serve",
        "app.notebook",
    ],
)
def test_importing_reads_no_files_of_ours(module):
    script = f"""
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import {module}
ours = {str(ROOT)!r}
print(*[o for o in opened if o.startswith(ours) and not o.endswith((".py", ".pyc"))
        and "__pycache__" not in o and ".venv" not in o])
"""
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout.strip() == ""
