"""pyproject.toml says what is needed; the pinned files and environment.yml must agree with it."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.rows import each
from tools import bootstrap, pin

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDED = {
    "base": PROJECT["project"]["dependencies"],
    "lab": PROJECT["project"]["optional-dependencies"]["lab"],
    "dev": PROJECT["project"]["optional-dependencies"]["dev"],
}
FILES = {"lab": ("base", "lab"), "dev": ("base", "lab", "dev")}  # pinned file -> what it must hold
PIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[a-z,]+\])?==[0-9][A-Za-z0-9.]*( ; [^;#]+)?")
PYTHONS = [c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if "Python :: 3." in c]


def lines(profile: str) -> list[str]:
    """The pins of a file, without its comments."""
    text = (ROOT / "requirements" / f"{profile}.txt").read_text(encoding="utf-8")
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def pins(profile: str) -> dict[str, list[Requirement]]:
    """Every package of a file with its versions; more than one only under markers."""
    found = defaultdict(list)
    for line in lines(profile):
        requirement = Requirement(line)
        found[canonicalize_name(requirement.name)].append(requirement)
    return dict(found)


def version_of(requirement: Requirement) -> Version:
    [specifier] = requirement.specifier
    return Version(specifier.version)


def holds(marker: Marker | None, python: str) -> bool:
    return marker is None or marker.evaluate({"python_version": python, "python_full_version": f"{python}.9"})


def direct(profile: str) -> list[Requirement]:
    requirements = [Requirement(text) for extra in FILES[profile] for text in NEEDED[extra]]
    return [requirement for requirement in requirements if requirement.name != "kcourse"]


def test_environment_yml_is_what_the_tool_would_write():
    written = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert written == pin.environment_yml()


def test_environment_yml_asks_for_what_pyproject_asks_for():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    packages = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    asked = [Requirement(text) for text in packages if text != "pip"]
    expected = [Requirement(text) for text in NEEDED["base"] + NEEDED["lab"]]
    expected.append(Requirement(f"python{PROJECT['project']['requires-python']}"))
    assert {(r.name, str(r.specifier)) for r in asked} == {(r.name, str(r.specifier)) for r in expected}
    assert environment["channels"] == ["conda-forge"] and environment["name"] == "kcourse"
    assert {"pip": ["-e ."]} in environment["dependencies"]


@pytest.mark.parametrize("profile", FILES)
def test_every_line_is_a_pin_and_nothing_names_an_index_an_address_or_a_file(profile):
    assert [line for line in lines(profile) if not PIN.fullmatch(line)] == []
    text = (ROOT / "requirements" / f"{profile}.txt").read_text(encoding="utf-8")
    assert re.findall(r"https?:|git\+|file:|--\S+|@|(?:^|\s)-[if]\b", text) == []


@each("python", PYTHONS)
@each("profile", FILES)
def test_every_direct_dependency_is_pinned_once_and_within_its_bound(profile, python):
    pinned = pins(profile)
    for needed in direct(profile):
        found = [p for p in pinned.get(canonicalize_name(needed.name), []) if holds(p.marker, python)]
        assert len(found) == 1, f"{needed.name} is pinned {len(found)} times in {profile}.txt for Python {python}"
        assert version_of(found[0]) in needed.specifier, f"{found[0]} is outside {needed}"


def test_every_direct_dependency_says_from_which_version_on():
    for extra, texts in NEEDED.items():
        for requirement in map(Requirement, texts):
            if requirement.name != "kcourse":
                assert any(s.operator == ">=" for s in requirement.specifier), f"{requirement} in {extra} has no bound"


def test_readers_and_authors_run_the_same_versions():
    lab, dev = pins("lab"), pins("dev")
    for name, versions in lab.items():
        # where it is needed may differ (authors need psutil everywhere), which version it is may not
        assert {str(v.specifier) for v in dev.get(name, [])} == {str(v.specifier) for v in versions}, name


def test_authors_have_all_that_readers_have():
    assert any(
        r.name == "kcourse" and r.extras == {"exam", "lab", "slides", "site"} for r in map(Requirement, NEEDED["dev"])
    )


def test_what_make_lab_sets_up_can_grade():
    extras = PROJECT["project"]["optional-dependencies"]
    assert set(extras["grade"]) <= set(extras["lab"])


def test_the_oldest_python_is_the_same_everywhere():
    oldest = ".".join(map(str, bootstrap.OLDEST))
    assert PROJECT["project"]["requires-python"] == f">={oldest}"
    assert f"  - python>={oldest}\n" in (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    assert PROJECT["tool"]["mypy"]["python_version"] == oldest
    assert f'"{oldest}"' in Path(pin.__file__).read_text(encoding="utf-8")  # what the pins are made for
    assert min(map(Version, PYTHONS)) == Version(oldest)


def test_the_workflow_tests_every_declared_python():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    rows = workflow["jobs"]["pinned"]["strategy"]["matrix"]["include"]
    assert {row["python"] for row in rows} == set(PYTHONS)


def test_what_the_solvers_need_is_numpy_and_scipy():
    assert {Requirement(text).name for text in NEEDED["base"]} == {"numpy", "scipy"}


def test_the_source_distribution_carries_what_the_readme_uses():
    included = {path.lstrip("/") for path in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]}
    assert [name for name in included if not (ROOT / name).exists()] == []
    always = {"pyproject.toml", "LICENSE", "LICENSE-TEXT"}  # hatchling takes these, and .gitignore
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    made = {"my_work", "site", "slides", "dist"}  # and not shipped
    rows = re.findall(r"^\| (`[^|]+) \|", readme, re.MULTILINE)
    folders = set(re.findall(r"`([a-z_]+)/`", " ".join(rows))) - made
    linked = {target.partition("/")[0] for target in re.findall(r"\]\(([^):#]+)\)", readme)}
    assert len(folders) > 5 and len(linked) > 5
    assert folders | linked | {"Makefile", "requirements", "environment.yml"} <= included | always
