"""Modules joined into the few files that a browser loads.

In a chunk each module is a function of its own, which takes what it imports from those before it
and gives what it exports; only the last one, for whose sake they are there, stands as it is. So
no two names can meet, and every module still runs once.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

#: What more than one of the later files takes from.
SHARED = "views/shared.mjs"

#: Files by path, and which modules are inside.
_Files: TypeAlias = Mapping[str, Collection[str]]

_IMPORT = re.compile(r'^import (?:(\w+)|\* as (\w+)|(\{[^}]*\})) from "(\.[^"]+)";\n', re.M)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function\*?|class) (\w+))", re.M)
_DEFAULT = re.compile(r"^export default ", re.M)

#: Comments that have lines of their own, and those that stand behind code, some blanks apart.
_COMMENT = re.compile(r"^ *(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n|(?<=\S) {2,}// [^\n]*", re.M | re.S)


def chunks(sources: Mapping[str, str], entry: str, first: Iterable[str]) -> dict[str, str]:
    """A page's modules as files: one for what it needs first, one for each it asks for later.

    What more than one of these needs, and not the first, has a file of its own: `SHARED`.

    Parameters
    ----------
    sources : mapping of str to str
        Source texts by path.
    entry : str
        The module that starts the page, at the top of all folders.
    first : iterable of str
        Modules that are asked for later, `import("…")`, but come with the entry.

    Returns
    -------
    dict of str to str
        Texts by path. The entry and what is shared also export `modules`, all that are inside by
        path, which later ones take theirs from.
    """
    inside = _with_imports([*first, entry], sources)
    targets = [target for path in inside for target in _targets(_LATER, path, sources)]
    needed = {
        later: _with_imports([later], sources)
        for later in dict.fromkeys(targets)
        if later not in inside
    }
    uses = Counter(path for paths in needed.values() for path in paths)
    shared = [path for path in uses if uses[path] > 1 and path not in inside]
    there = {entry: inside}
    texts = {entry: _gathered([path for path in inside if path != entry], sources, {})}
    texts[entry] += _body(entry, sources, inside)
    if shared:
        texts[SHARED] = _gathered(shared, sources, there)
        there[SHARED] = shared
    return texts | {later: _later(later, sources, there) for later in needed}


def chunk(entry: str, sources: Mapping[str, str]) -> str:
    """A module with all that it imports before it: one that imports nothing.

    Parameters
    ----------
    entry : str
        Its path.
    sources : mapping of str to str
        Source texts by path.
    """
    paths = _with_imports([entry], sources)
    before = "".join(_function(path, sources, paths) for path in paths if path != entry)
    return before + _body(entry, sources, paths)


def _gathered(paths: list[str], sources: Mapping[str, str], there: _Files) -> str:
    """Modules, each a function, and the table of them that other files take theirs from."""
    table = "".join(f'  "{path}": {_name(path)},\n' for path in paths)
    needed = _with_imports(paths, sources)
    text = "".join(_function(path, sources, needed) for path in paths)
    start = _bindings(posixpath.dirname(SHARED), needed, there)
    return f"{start}{text}export const modules = {{\n{table}}};\n"


def _later(path: str, sources: Mapping[str, str], there: _Files) -> str:
    """A module that takes what it can from files that are there, and has the rest inside."""
    paths = _with_imports([path], sources)
    elsewhere = {each for inside in there.values() for each in inside}
    own = [each for each in paths if each not in elsewhere and each != path]
    return (
        _bindings(posixpath.dirname(path), paths, there)
        + "".join(_function(each, sources, paths) for each in own)
        + _body(path, sources, paths)
    )


def _bindings(folder: str, paths: list[str], there: _Files) -> str:
    """What a file in a folder takes of some modules from other files."""
    text = ""
    for number, (file, inside) in enumerate(there.items()):
        taken = [path for path in paths if path in inside]
        if taken:
            name = f"$modules{number}"
            text += f'import {{modules as {name}}} from "{_relative(file, folder)}";\n'
            text += "".join(f'const {_name(path)} = {name}["{path}"];\n' for path in taken)
    return text


def _relative(path: str, folder: str) -> str:
    found = posixpath.relpath(path, folder)
    return found if found.startswith(".") else f"./{found}"


def _with_imports(entries: list[str], sources: Mapping[str, str]) -> list[str]:
    """Modules with all that they import, each after what it imports."""
    paths: dict[str, None] = {}

    def visit(path: str) -> None:
        for target in _targets(_IMPORT, path, sources):
            if target not in paths:
                visit(target)
        paths[path] = None

    for entry in entries:
        visit(entry)
    return list(paths)


def _targets(pattern: re.Pattern[str], path: str, sources: Mapping[str, str]) -> list[str]:
    return [_path(path, match[match.re.groups]) for match in pattern.finditer(sources[path])]


def _path(path: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".mjs"))


def _exported(path: str, sources: Mapping[str, str]) -> list[str]:
    names = _EXPORT.findall(sources[path])
    return [*names, "default"] if _DEFAULT.search(sources[path]) else names


def _function(path: str, sources: Mapping[str, str], inside: Collection[str]) -> str:
    body = _body(path, sources, inside)
    names = [
        f"{each}: $default" if each == "default" else each for each in _exported(path, sources)
    ]
    body = _DEFAULT.sub("const $default = ", _EXPORT.sub("", body))
    _no_other("export", body, path)
    return f"const {_name(path)} = (() => {{\n{body}return {{{', '.join(names)}}};\n}})();\n"


def _body(path: str, sources: Mapping[str, str], inside: Collection[str]) -> str:
    """A module that takes what it imports from the modules inside."""

    def binding(match: re.Match[str]) -> str:
        default, everything, names, target = match.groups()
        target = _path(path, target)
        imports = ["default"] if default else re.findall(r"(\w+)(?: as \w+)?,? *", names or "")
        if missing := set(imports) - set(_exported(target, sources)):
            raise ValueError(f"{path} imports {missing}, which {target} does not export")
        module = _name(target)
        if default:
            return f"const {default} = {module}.default;\n"
        return f"const {everything or names.replace(' as ', ': ')} = {module};\n"

    def promise(match: re.Match[str]) -> str:
        target = _path(path, match[1])
        return f"Promise.resolve({_name(target)})" if target in inside else f'import("./{target}")'

    body = _LATER.sub(promise, _IMPORT.sub(binding, _COMMENT.sub("", sources[path])))
    _no_other("import", body, path)
    return body


def _no_other(form: str, body: str, path: str) -> None:
    if rest := re.search(rf"^{form} .*", body, re.M):
        raise ValueError(f"{path} cannot be joined to others: {rest[0]}")
