"""docs/site.toml: the links and the cell that it adds to the notebooks that are handed out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kcourse.slides import slides_of
from kcourse_grader.release import addresses, archives

ROOT = Path(__file__).resolve().parents[2]
PAGE = "notebooks/ch03_ridge.ipynb"
WHEEL = "https://code.example/us/kcourse/raw/main/kcourse-0.1.0-py3-none-any.whl"
BLOB = "https://github.com/us/kcourse/blob/main"


@pytest.mark.parametrize(
    ("text", "words", "address"),
    [
        (f'wheel = "kcourse"\ncolab = "{BLOB}/"', "Open in Colab", f"{BLOB}/{PAGE}"),
        (f'wheel = "kcourse"\nkaggle = "https://k.example?src={BLOB}"', "Open in Kaggle",
         f"https://k.example?src={BLOB}/{PAGE}"),
        ('binder = "https://b.example/v2/gh/us/kcourse/hub"', "Open in Binder",
         f"https://b.example/v2/gh/us/kcourse/hub?labpath={PAGE}"),
        ('hub = "https://hub.example/hub/"', "Open on the hub",  # the student's own copy
         f"https://hub.example/hub/user-redirect/lab/tree/my_work/{PAGE}"),
        ('nbgitpuller = "https://hub.example"\nrepository = "https://code.example/us/kcourse"', "Open on the hub",
         "https://hub.example/hub/user-redirect/git-pull?repo=https%3A%2F%2Fcode.example%2Fus%2Fkcourse&branch=main"
         "&urlpath=lab%2Ftree%2Fkcourse%2Fnotebooks%2Fch03_ridge.ipynb"),
    ],
)  # fmt: skip
def test_each_service_opens_the_notebook(text: str, words: str, address: str) -> None:
    assert addresses.links(addresses.settings(text), PAGE) == [(words, address)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('Binder = "https://b.example"', "'Binder'. Available: repository, wheel, colab, kaggle, binder, hub"),
        ('binder = "javascript:alert(1)"', "begin with https://"),
        ('repository = "code.example/us"', "begin with https"),
        ("hub = 3", "between quotation marks"),
        ("hub = ", "cannot be read"),
        ("binder = 'https://b.example/\"><script>'", "begin with https"),
        ('nbgitpuller = "https://hub.example"', "nbgitpuller works only if repository"),
        (f'colab = "{BLOB}"', "colab works only if wheel"),
        ('wheel = "kcourse; rm -rf ~"', "the https:// address of a wheel"),
        ('wheel = "https://code.example/{x}.whl"', "the https:// address of a wheel"),  # IPython would fill it in
    ],
)
def test_settings_that_would_make_a_wrong_button_or_cell_are_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(addresses.WrongSettings, match=says):
        addresses.settings(text)


def small_course(folder: Path) -> Path:
    """Lay out a clone with one chapter and its sheet, and with empty settings."""
    for name in ("pyproject.toml", "docs/release/students.md", PAGE, "exercises/ch03_ridge_sheet.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    for home in ("notebooks", "solutions"):
        (folder / home / "src").mkdir(parents=True)
        (folder / home / "src" / "ch03_ridge.py").touch()
    (folder / "docs" / "site.toml").touch()
    return folder


def test_a_notebook_alone_has_its_links_and_installs_the_library_only_if_it_is_missing(tmp_path: Path) -> None:
    course = small_course(tmp_path)
    before = archives.student_pages(course)
    (course / "docs" / "site.toml").write_text(f'wheel = "{WHEEL}"\ncolab = "{BLOB}"', encoding="utf-8")
    after = archives.student_pages(course)
    assert f"[Open in Colab]({BLOB}/notebooks/00_start_here.ipynb)" in after.pop("README.md").decode()
    assert "http" not in before.pop("README.md").decode()
    for page, content in after.items():
        old, (title, install, *rest) = json.loads(before[page])["cells"], json.loads(content)["cells"]
        assert rest == old[1:] and title["source"] == [f"[Open in Colab]({BLOB}/{page})\n", "\n", *old[0]["source"]]
        slides = (slides_of({"cells": json.loads(pages[page])["cells"]}) for pages in (before, after))
        assert len({(slide.title, str(slide.parts)) for slide, *_ in slides}) == 1
        _, first, second, third, pip, *_ = "".join(install["source"]).splitlines()
        assert (first, second, third) == ("try:", "    import kcourse", "except ModuleNotFoundError:")
        assert pip == f'    %pip install -q "kcourse[notebook] @ {WHEEL}"'


def test_an_index_needs_the_name_only() -> None:
    said = addresses.settings('wheel = "kcourse"')
    [_, install] = json.loads(addresses.public(b'{"cells": [{"source": []}]}', PAGE, said))["cells"]
    assert '    %pip install -q "kcourse[notebook]"\n' in install["source"]
