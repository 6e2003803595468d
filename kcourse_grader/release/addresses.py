"""Where the course is public: the settings in docs/site.toml, and what they add to a notebook.

A setting without a value adds nothing. The links come first in a notebook, and the cell that installs kcourse, if it is
missing, follows the title. The grader does not judge this cell.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from urllib.parse import quote

from kcourse.commands.work import WORK

__all__ = ["NAME", "WrongSettings", "in_a_line", "links", "public", "read", "requirement", "settings"]

NAME = "kcourse"  # of the project on an index
_DEFAULTS = dict.fromkeys(("repository", "wheel", "colab", "kaggle", "binder", "hub", "nbgitpuller"), "")
_DEFAULTS |= {"branch": "main"}
_ADDRESS = r"https?://[^\s\"'<>(){}$]+"
_FORMS = {
    "branch": (r"\S+", "be a name without spaces"),
    "wheel": (rf"{NAME}|{_ADDRESS}\.whl", f"be {NAME!r} or the https:// address of a wheel"),
}
_INSTALL = """# installs kcourse if it is missing
try:
    import kcourse
except ModuleNotFoundError:
    %pip install -q "{}"
    import kcourse
    print("kcourse is now installed. In JupyterLab, reload this page and run all cells again, so that sliders work.")"""


class WrongSettings(ValueError):
    """A setting in docs/site.toml is not valid."""


def read(course: Path) -> dict[str, str]:
    """Return the settings of a clone."""
    path = course / "docs" / "site.toml"
    try:
        return settings(path.read_text(encoding="utf-8-sig") if path.is_file() else "")
    except UnicodeDecodeError:
        raise WrongSettings("docs/site.toml is not UTF-8. Save it as UTF-8.") from None


def settings(text: str) -> dict[str, str]:
    """Return the settings in the text of docs/site.toml; missing settings are empty."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise WrongSettings(f"docs/site.toml cannot be read: {problem}") from None
    for name, value in said.items():
        if name not in _DEFAULTS:
            raise WrongSettings(f"docs/site.toml: no setting named {name!r}. Available: {', '.join(_DEFAULTS)}")
        if not isinstance(value, str):
            raise WrongSettings(f"docs/site.toml: {name} is {value!r}, but should be text between quotation marks")
        form, should = _FORMS.get(name, (_ADDRESS, "begin with https://"))
        if value and not re.fullmatch(form, value):
            raise WrongSettings(f"docs/site.toml: {name} is {value!r}, but should {should} (or be empty)")
    found = _DEFAULTS | {name: value.rstrip("/") for name, value in said.items()}
    for name, needed in (("nbgitpuller", "repository"), ("colab", "wheel"), ("kaggle", "wheel")):
        if found[name] and not found[needed]:
            raise WrongSettings(f"docs/site.toml: {name} works only if {needed} has a value as well")
    return found


def links(said: dict[str, str], path: str) -> list[tuple[str, str]]:
    """Return (words, address) for each service in the settings that can open the notebook ``path``."""
    path, home = quote(path), said["repository"]
    below = quote(f"lab/tree/{home.rpartition('/')[2].removesuffix('.git')}/{path}", "")
    pull = f"repo={quote(home, '')}&branch={quote(said['branch'])}&urlpath={below}"
    places = {
        "colab": ("Open in Colab", f"/{path}"),
        "kaggle": ("Open in Kaggle", f"/{path}"),
        "binder": ("Open in Binder", f"?labpath={path}"),
        "hub": ("Open on the hub", f"/hub/user-redirect/lab/tree/{WORK}/{path}"),  # deploy/hub/start makes the copies
        "nbgitpuller": ("Open on the hub", f"/hub/user-redirect/git-pull?{pull}"),
    }
    starts = said | {name: said[name].removesuffix("/hub") for name in ("hub", "nbgitpuller")}  # its front page's
    return [(words, starts[name] + rest) for name, (words, rest) in places.items() if starts[name]]


def requirement(said: dict[str, str], extra: str = "") -> str:
    """Return what pip installs: the project's name on an index, or its wheel's address."""
    return f"{NAME}{extra}" if said["wheel"] == NAME else f"{NAME}{extra} @ {said['wheel']}"


def public(content: bytes, page: str, said: dict[str, str]) -> bytes:
    """Return a notebook with its links and with the cell that installs kcourse."""
    notebook = json.loads(content)
    cells, line = notebook["cells"], in_a_line(said, page)
    if line:
        cells[0]["metadata"].setdefault("kcourse", {}).setdefault("slide", "".join(cells[0]["source"]))  # without links
        cells[0]["source"] = [f"{line}\n", "\n", *cells[0]["source"]]
    if said["wheel"]:
        install = _INSTALL.format(requirement(said, "[notebook]")).splitlines(keepends=True)
        hidden = {"jupyter": {"source_hidden": True}}
        cell = {"cell_type": "code", "id": "install", "metadata": hidden, "source": install}
        cells.insert(1, cell | {"execution_count": None, "outputs": []})
    elif not line:
        return content
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def in_a_line(said: dict[str, str], page: str) -> str:
    """Return the links of a notebook in Markdown."""
    return " · ".join(f"[{words}]({address})" for words, address in links(said, page))
