"""kcourse.lab: ``verify``, figures with alt text, and an explorer moved without a browser."""

import base64
import io
import sys
from functools import partial
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from bs4 import BeautifulSoup
from ipywidgets import Widget
from matplotlib.text import Text
from PIL import Image
from traitlets import TraitError

from kcourse.lab import explore, figures, log_slider, moving, show, slider, switch, use_style, verify
from kcourse.lab import widgets as lab_widgets
from kcourse.lab.figures import check_alt, picture_of
from kcourse.lab.pieces import cover
from tests.unit.refused import refused
from tools.figures import PAGE
from tools.source import read

ALT = "A straight line that rises from left to right."


@pytest.fixture(autouse=True)
def _own_style():
    """No window, and the course's style for this test alone."""
    plt.switch_backend("agg")
    with plt.rc_context():
        use_style()
        yield
    plt.close("all")


@pytest.fixture
def shown(monkeypatch):
    """What was displayed: a list of (bundle, metadata); the words beneath pictures are in ``shown.words``."""

    class Quotable(list):
        """A list that may have an attribute."""

    said = Quotable()
    said.words = []

    def display(bundle, *, raw, metadata):
        assert raw is True
        if "kcourse-words" in bundle.get("text/html", ""):
            said.words.append(bundle["text/html"])
        else:
            said.append((bundle, metadata))

    monkeypatch.setattr(figures, "display", display)
    monkeypatch.setattr(lab_widgets, "display", display)
    return said


def line():
    fig, ax = plt.subplots()
    ax.plot([0, 1], [0, 1])
    return fig


def png(text):
    return Image.open(io.BytesIO(base64.b64decode(text)))


def picture(explorer):
    """The picture that the reader sees now, as an RGB array."""
    return np.asarray(Image.open(io.BytesIO(explorer.picture)).convert("RGB"))


# ---------------------------------------------------------------- figures for a page


@pytest.fixture
def page(monkeypatch):
    """Figures are drawn for a deck."""
    monkeypatch.setattr(figures, "page", PAGE)


def on_the_page(text, letters):
    """The size in pixels that letters of so many dots have, where a deck has the least room for the picture."""
    picture = png(text)
    return letters * min(1120 / picture.width, 470 / picture.height)


@pytest.mark.parametrize("figsize", [(4.6, 2.9), (7.6, 5.2), (9.4, 5.4), (11, 3.5)])
def test_a_figure_for_a_deck_has_letters_of_18_pixels_whatever_its_size(page, figsize):
    fig, axes = plt.subplots(2, 2, figsize=figsize, sharex=True)
    axes[0, 0].plot([0, 1], [1, 2], label="a line")
    axes[0, 0].legend(fontsize=7)
    axes[1, 1].text(0.5, 0.5, "small", fontsize=6)
    axes[1, 0].tick_params(labelsize=5)
    axes[0, 1].set_title("large", fontsize=20)
    bundle, metadata = picture_of(fig, ALT)
    assert metadata["image/png"]["alt"] == ALT
    assert on_the_page(bundle["image/png"], metadata["image/png"]["letters"]) >= 18
    sizes = {text.get_text(): text.get_fontsize() for text in fig.findobj(Text)}
    assert sizes["small"] == sizes["a line"] == PAGE.letters and sizes["large"] == 20
    fig.draw_without_rendering()
    assert min(label.get_fontsize() for label in axes[1, 0].get_xticklabels()) == PAGE.letters


def test_a_figure_for_a_notebook_keeps_its_size_and_its_letters():
    fig, ax = plt.subplots(figsize=(9.4, 5.4))
    ax.set_xlabel("x", fontsize=6)
    _, metadata = picture_of(fig, ALT)
    assert metadata == {"image/png": {"alt": ALT, "width": 940}} and ax.xaxis.label.get_fontsize() == 6


def test_the_states_of_an_explorer_are_drawn_for_the_deck_too(page, shown):
    fig, ax = plt.subplots(figsize=(9.6, 4.7))
    title = moving(ax.set_title("a", fontsize=7))
    found = []

    def update(a):
        title.set_text(f"a = {a}")
        found.append(moving(ax.text(0.1 * a, 0.5, "made anew", fontsize=7)))
        return f"A picture with a title that says {a}."

    explore(fig, update, a=slider("a", 1, 3, 1, 1), states=[{"a": 3}])
    bundle, metadata = shown[0]
    [state] = metadata["kcourse"]["states"]
    assert png(state["png"]).size == png(bundle["image/png"]).size
    assert on_the_page(state["png"], metadata["image/png"]["letters"]) >= 18
    assert state["alt"].endswith("says 3.") and metadata["image/png"]["alt"].endswith("says 1.")
    assert found[0].get_fontsize() == found[1].get_fontsize() == title.get_fontsize() == PAGE.letters


def test_what_hides_a_part_of_a_figure_is_laid_out_for_the_page(page):
    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4))
    right.set_ylabel("a label")
    sheet, _ = cover(right, "later")
    fig.draw_without_rendering()
    assert sheet.get_x() * fig.bbox.width <= right.get_tightbbox().x0
    assert sheet.get_x() * fig.bbox.width >= left.get_tightbbox().x1


# ---------------------------------------------------------------- verify


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        ((1.0 + 2.0, 3.0), "✓ claim (agree to 1e-10)\n"),
        ((0.1 + 0.2, 0.3), "✓ claim (agree to 1e-10)\n"),
        ((np.full(3, 2.0), 2), "✓ claim (agree to 1e-10)\n"),
        ((1e6, 1e6 + 5e-5), "✓ claim (agree to 1e-10)\n"),  # relative to the larger side
        ((1.0, 1.05, 0.1), "✓ claim (agree to 0.1)\n"),
        ((True,), "✓ claim\n"),
        ((np.inf, np.inf), "✓ claim (agree to 1e-10)\n"),
        ((595.9351, "595.94"), "✓ claim: 595.94\n"),
        ((595.94, "595.9"), "✓ claim: 595.9\n"),
        ((0.5, "0"), "✓ claim: 0\n"),
        ((-61.1349, "-61.135"), "✓ claim: -61.135\n"),
        ((1234567.4, "1 234 567"), "✓ claim: 1 234 567\n"),
        ((1.54e-10, "1.5e-10"), "✓ claim: 1.5e-10\n"),
        ((2300, "2e3"), "✓ claim: 2e3\n"),
    ],
)
def test_verify_prints_the_claim_and_no_machine_noise(arguments, printed, capsys):
    verify("claim", *arguments)
    assert capsys.readouterr().out == printed


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_verify_fails_where_the_sides_differ(capsys):
    fails = partial(refused, error=AssertionError)
    fails("the two sides differ by 1, more than 2e-10", verify, "claim", 1.0, 2.0)
    fails("the two sides differ by 3e-10", verify, "claim", 1.0, 1.0 + 3e-10)
    fails("the two sides differ by 0.0002, more than 0.0001", verify, "claim", 1e6, 1e6 + 2e-4)
    fails("the two sides differ by nan", verify, "claim", np.nan, np.nan)
    fails("the two sides differ by nan", verify, "claim", [1.0, np.nan], [1.0, 2.0])
    fails("the two sides differ by inf, more than 1e-10", verify, "claim", 5.0, np.inf)
    fails("the two sides differ by 99, more than 1e-10", verify, "claim", [100.0, np.inf], [1.0, np.inf])
    fails(r"shapes \(3,\) and \(3, 1\) differ", verify, "claim", np.ones(3), np.ones((3, 1)))
    fails("both sides are empty", verify, "claim", [], [])
    fails("this is false", verify, "claim", False)
    fails("quoted as 595.94, but it is 595.9459", verify, "claim", 595.9459, "595.94")
    fails("quoted as 595.9, but it is 595.960", verify, "claim", 595.96, "595.9")
    fails("quoted as 3, but it is nan", verify, "claim", np.nan, "3")
    fails("quoted as 0.5, but it is -0.500", verify, "claim", -0.5, "0.5")
    fails("quoted as 1.5e-10", verify, "claim", 1.6e-10, "1.5e-10")
    fails("quoted as 2e3, but it is 2600.00", verify, "claim", 2600, "2e3")
    assert capsys.readouterr().out == ""


class Shell:
    """A notebook's kernel, as far as ``verify`` knows one: it tells when a cell has run."""

    kernel = object()

    def __init__(self):
        self.events = self
        self.callbacks = {"post_run_cell": []}

    def register(self, event, callback):
        self.callbacks[event].append(callback)

    def run_cell(self, *claims, code="verify(…)"):
        for claim in claims:
            verify(claim, True)
        for callback in self.callbacks["post_run_cell"]:
            callback(SimpleNamespace(info=SimpleNamespace(raw_cell=code)))


@pytest.fixture
def shell(monkeypatch, capsys):
    """A `Shell`; ``shown`` is what it displayed."""
    made = Shell()
    made.shown = []
    verify_module = sys.modules["kcourse.lab.verify"]
    monkeypatch.setattr(verify_module, "get_ipython", lambda: made)
    monkeypatch.setattr(verify_module, "display", lambda bundle, raw: made.shown.append(bundle))
    yield made
    assert capsys.readouterr().out == ""


def test_in_a_notebook_the_sentences_of_a_cell_come_together(shell):
    shell.run_cell("one is < two", "two", "three")
    shell.run_cell()
    shell.run_cell("four")
    few, one = shell.shown
    assert few["text/plain"] == "✓ one is < two\n✓ two\n✓ three"
    assert few["text/html"].startswith('<div class="kcourse-verified"')
    assert "✓ one is &lt; two<br>✓ two<br>✓ three</div>" in few["text/html"]
    assert one["text/plain"] == "✓ four"


def test_more_than_three_stand_behind_a_line_that_gives_no_answer_away(shell):
    shell.run_cell("1", "2", "3", "4")
    [block] = shell.shown
    assert block["text/html"].startswith("<details ") and " open" not in block["text/html"]
    assert "<summary>✓ 4 statements verified</summary>✓ 1<br>✓ 2<br>✓ 3<br>✓ 4</details>" in block["text/html"]
    assert block["text/plain"] == "✓ 1\n✓ 2\n✓ 3\n✓ 4"


def test_a_folded_cell_gives_nothing_away(shell, tmp_path):
    source = tmp_path / "ch01_x.py"
    source.write_text('# %% [markdown]\n# # Title\n\n# %% hide="input"\nx = 1\n')
    shell.run_cell("the answer is 2", code=read(source, tmp_path).notebook().cells[1].source)
    [block] = shell.shown
    assert "<summary>✓ 1 statement verified</summary>✓ the answer is 2</details>" in block["text/html"]


def test_what_held_before_a_cell_failed_is_shown_with_that_cell(shell):
    verify("one", True)
    refused("this is false", verify, "two", False, error=AssertionError)
    shell.run_cell()  # IPython tells of the end of a cell that failed, too
    shell.run_cell("three")
    assert [block["text/plain"] for block in shell.shown] == ["✓ one", "✓ three"]


@pytest.mark.parametrize("same", [np.ones(3), [1.0, 2.0]])
def test_verify_refuses_to_compare_a_thing_with_itself(same):
    refused("verify\\('claim'\\) compares an array with itself", verify, "claim", same, same)


def test_verify_refuses_what_it_cannot_compare():
    refused("got one value of type float; give two sides to compare", verify, "claim", 1.0, error=TypeError)
    refused("got one value of type ndarray", verify, "claim", np.ones(2), error=TypeError)
    refused("got one value of type ndarray", verify, "claim", np.array([True]), error=TypeError)
    refused("got one value of type NoneType", verify, "claim", None, error=TypeError)
    refused("compares complex numbers", verify, "claim", 1 + 1j, 1.0, error=TypeError)
    refused("compares complex numbers", verify, "claim", np.array([1.0]), np.array([1 + 1j]), error=TypeError)
    refused("could not convert string to float", verify, "claim", 1.0, "one")
    refused("could not convert string to float", verify, "claim", "a", 1.0)


# ---------------------------------------------------------------- figures


def test_show_displays_a_picture_with_its_words_and_width_and_closes_the_figure(shown):
    fig = line()
    show(fig, f"  A straight line\n that rises {ALT[26:]}")
    [(bundle, metadata)] = shown
    assert set(bundle) == {"image/png", "text/plain"} and bundle["text/plain"] == ALT
    width, height = fig.get_size_inches()
    assert metadata == {"image/png": {"alt": ALT, "width": round(100 * width)}}
    assert png(bundle["image/png"]).size == (int(160 * width), int(160 * height))  # sharper than it is shown
    assert not plt.fignum_exists(fig.number)


def test_the_words_stand_folded_beneath_the_picture_and_are_escaped(shown):
    show(line(), 'A line that says <b> & "more" than a picture.')
    [words] = shown.words
    assert words.startswith("<details ") and "<summary>The picture in words</summary>" in words
    assert "says &lt;b&gt; &amp; &quot;more&quot; than" in words


def test_a_picture_that_answers_waits_behind_a_line_that_opens(shown):
    show(line(), 'A line that says <b> & "more" than a picture.', answer="Line <b>")
    [(bundle, _)] = shown
    fold = BeautifulSoup(bundle["text/html"], "html.parser").details
    assert "open" not in fold.attrs and fold.summary.b.get_text() == "Line <b>"
    assert fold.img["alt"].startswith("A line that says <b>") and fold.img["src"].endswith(bundle["image/png"])


@pytest.mark.parametrize("alt", ["", "A plot.", "   \n  ", "x" * 19, "a b" + " " * 40 + "c"])
def test_a_text_too_short_to_stand_for_the_picture_is_refused(shown, alt):
    refused("too short to describe the picture: say what is drawn and what it shows", show, line(), alt)
    refused("too short", explore, line(), lambda a: alt, a=slider("a", 0, 1, 0, 0.5))
    assert shown == [] and len(check_alt("x" * 20)) == 20


def test_the_ground_of_a_stored_picture_is_white_and_opaque():
    image = png(picture_of(line(), ALT)[0]["image/png"])
    assert image.mode == "P" and "transparency" not in image.info
    assert [image.convert("RGB").getpixel(corner) for corner in ((0, 0), (image.width - 1, 0))] == [(255, 255, 255)] * 2


# ---------------------------------------------------------------- controls


def test_controls_have_their_labels_limits_and_steps():
    whole, equal = slider("n", 1, 9, 3, 2), slider("x", 0, 1, 0.5, 0.25, unit="m")
    assert whole.stops == (1, 3, 5, 7, 9) and all(type(stop) is int for stop in whole.stops)
    assert equal.stops == (0, 0.25, 0.5, 0.75, 1) and equal.texts == ("0 m", "0.25 m", "0.5 m", "0.75 m", "1 m")
    assert (whole.start, equal.start) == (1, 2) and (whole.label, equal.label) == ("n", "x")
    choice = switch("program", ["a", "b"])
    assert (choice.kind, choice.stops, choice.texts, choice.start, choice.label) == (
        "choice", ("a", "b"), ("a", "b"), 0, "program",
    )  # fmt: skip
    assert switch("program", ["a", "b"], "b").start == 1


def test_a_value_between_two_stops_is_refused():
    refused("x has no stop at 0.3; .* 0 m, 0.25 m, 0.5 m", slider("x", 0, 1, 0.5, 0.25, unit="m").stop_at, 0.3)
    refused("n has no stop at 4; .* 1, 3, 5", slider, "n", 1, 5, 4, 2)


def test_sliders_that_go_nowhere_are_refused():
    for arguments in ((0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.1), (0.0, 1.0, 0.0, float("nan"))):
        refused("the slider 'x' goes from .* step > 0", slider, "x", *arguments)
    refused("starts at 0; a logarithmic", log_slider, "x", 0, 1, 0)


def test_what_is_counted_has_whole_stops_with_a_gap_between_thousands():
    control = log_slider("n", 0, 4, 442, per_decade=20, whole=True)
    assert all(type(stop) is int for stop in control.stops) and len(set(control.stops)) == len(control.stops)
    assert control.stops[control.start] == 442 and "8\N{NARROW NO-BREAK SPACE}819" in control.texts


@pytest.mark.parametrize(("value", "per_decade"), [(5.0, 10), (0.1, 20), (100.0, 4), (10**0.9, 10), (442, 20)])
def test_a_logarithmic_slider_starts_at_one_of_its_stops_and_covers_its_range(value, per_decade):
    control = log_slider("σ", -1, 3, value, per_decade, unit="ms")
    assert control.stops[control.start] == value
    exponents = np.log10(control.stops)
    assert np.diff(exponents) == pytest.approx(1 / per_decade)
    for end, asked in ((exponents[0], -1), (exponents[-1], 3)):
        assert abs(end - asked) < 1 / per_decade
    assert exponents[0] >= -1 - 1e-9 and exponents[-1] <= 3 + 1e-9
    assert control.label == "σ" and control.texts[control.start] == f"{value:.3g} ms"


# ---------------------------------------------------------------- explorers


def small_explorer(alt="The point stands at {x} & <it> says \"hello\" to 'you'."):
    fig, ax = plt.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 1))
    point = moving(ax.plot([0], [0.5], marker="o", markersize=20)[0])
    calls = []

    def update(x):
        calls.append(x)
        point.set_xdata([x])
        return alt.format(x=x)

    return explore(fig, update, x=slider("x", 0.0, 10.0, 2.0, 0.5, unit="m")), point, calls


def test_an_explorer_shows_a_widget_and_a_picture_in_one_output(shown):
    explorer, _, calls = small_explorer()
    [(bundle, metadata)] = shown
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    view = bundle["application/vnd.jupyter.widget-view+json"]
    assert (view["version_major"], view["version_minor"]) == (2, 0)
    state = Widget.get_manager_state(widgets=None)["state"][view["model_id"]]["state"]
    assert state["at"] == {"x": 4} and state["alt"] == explorer.alt
    [face] = state["faces"]
    assert (face["name"], face["label"], face["kind"], face["texts"][4]) == ("x", "x", "slider", "2 m")
    assert bundle["text/plain"] == explorer.alt == metadata["image/png"]["alt"]
    assert metadata["image/png"]["width"] == round(100 * explorer.fig.get_figwidth())
    assert png(bundle["image/png"]).format == "PNG" and calls == [2.0]
    assert not plt.fignum_exists(explorer.fig.number)
    assert "The first picture in words" in shown.words[0]


def test_a_cell_that_is_run_again_lets_its_last_explorers_go(shown, monkeypatch):
    asked = {}
    shell = SimpleNamespace(kernel=object(), get_parent=lambda: asked)
    monkeypatch.setattr("kcourse.lab.widgets.get_ipython", lambda: shell)

    def ran(run, **cell):  # two explorers in one cell
        asked.update({"header": {"msg_id": run}, "metadata": {}, "content": {"code": ""}} | cell)
        return small_explorer()[0], small_explorer()[0]

    code = {"content": {"code": "explore(…)"}}
    of_code, of_cell = ran("1", **code), ran("2", metadata={"cellId": "a"})
    assert all(each.comm is not None for each in (*of_code, *of_cell))  # another cell's are left alone
    again = ran("3", **code)
    assert [each.comm for each in of_code] == [None, None] and all(each.comm for each in (*of_cell, *again))
    changed = ran("4", metadata={"cellId": "a"}, content={"code": "explore(…)  # edited"})
    assert [each.comm for each in of_cell] == [None, None] and all(each.comm for each in (*again, *changed))


def test_on_a_sharp_screen_the_picture_has_more_dots_and_the_same_width(shown):
    explorer, _, _ = small_explorer()
    height, width, _ = picture(explorer).shape
    explorer.density = 2.0
    assert picture(explorer).shape[:2] == (2 * height, 2 * width) and explorer.width == width
    explorer.set(x=7.5)
    assert picture(explorer).shape[:2] == (2 * height, 2 * width)
    explorer.density = 7.0  # nobody sees more than two
    assert picture(explorer).shape[:2] == (2 * height, 2 * width)
    explorer.density = 0.5  # a page made small
    assert picture(explorer).shape[:2] == (height, width)


def test_moving_a_control_redraws_once_and_draws_the_value_that_was_set(shown):
    explorer, point, calls = small_explorer()
    first = picture(explorer)
    explorer.set(x=7.5)
    assert calls == [2.0, 7.5] and explorer.values() == {"x": 7.5} and list(point.get_xdata()) == [7.5]
    darker = picture(explorer).sum(axis=2) < first.sum(axis=2, dtype=int)  # where the point is now
    column = np.flatnonzero(darker.any(axis=0)).mean()
    x = explorer.fig.axes[0].transData.inverted().transform((column, 0))[0]
    assert x == pytest.approx(7.5, abs=0.1)
    explorer.set(x=7.5)  # no change, no work
    assert calls == [2.0, 7.5]
    explorer.set(x=2.0)
    np.testing.assert_array_equal(picture(explorer), first)
    assert len(shown) == 1  # the output itself is never displayed again


def test_an_update_without_words_is_refused_when_it_happens(shown):
    explorer, _, _ = small_explorer(alt="The point stands at {x:.3g}.")
    explorer.update = lambda x: "too short"
    before = picture(explorer)
    refused("too short to describe the picture", explorer.set, x=5.0)
    assert explorer.problem.startswith("This setting cannot be drawn (ValueError: alt='too short' is too short")
    np.testing.assert_array_equal(picture(explorer), before)
    explorer.update = lambda x: "The point stands somewhere else now."
    explorer.set(x=6.0)
    assert explorer.problem == "" and explorer.alt == "The point stands somewhere else now."


@pytest.mark.parametrize("at", [{"x": 99}, {"x": -1}, {}, {"y": 1}])
def test_a_setting_that_does_not_exist_is_refused(at, shown):
    explorer, _, calls = small_explorer()
    with pytest.raises(TraitError, match="is not a setting of x"):
        explorer.at = at
    assert explorer.values() == {"x": 2.0} and calls == [2.0]


def test_only_what_is_marked_moves(shown):
    fig, ax = plt.subplots()
    still, moves = ax.plot([0, 1], [0, 0])[0], moving(ax.plot([0, 1], [1, 1])[0])
    ax.set_ylim(-0.5, 2)

    def update(a):
        still.set_ydata([a, a])
        moves.set_ydata([1 + a, 1 + a])
        return "Two lines, of which only one was marked as moving."

    explorer = explore(fig, update, a=slider("a", 0.0, 1.0, 0.0, 0.5))
    before = picture(explorer)
    explorer.set(a=0.5)
    changed = np.flatnonzero((picture(explorer) != before).any(axis=(1, 2)))
    height = before.shape[0]
    y = height - fig.axes[0].transData.transform([[0, 0.5], [0, 1.0], [0, 1.5]])[:, 1]  # rows, from above
    assert not np.any(np.abs(changed - y[0]) < 4)
    assert np.any(np.abs(changed - y[1]) < 4) and np.any(np.abs(changed - y[2]) < 4)


@pytest.mark.parametrize("added", ["line", "text", "patch"])
def test_what_lies_above_a_thing_that_moves_is_not_buried_by_it(added, shown):
    fig, ax = plt.subplots()
    ax.set(xlim=(0, 1), ylim=(-1, 1))
    beneath = ax.axhspan(-0.9, 0.9, color="#00ff00", zorder=0.8)
    band = moving(ax.fill([0, 1, 1, 0], [-0.9, -0.9, 0.9, 0.9], color="#cccccc", zorder=1)[0])
    if added == "line":
        above = ax.plot([0.5], [0.0], marker="s", markersize=40, color="black", linestyle="none")[0]
    elif added == "text":
        above = ax.text(0.5, 0.0, "\N{FULL BLOCK}", fontsize=60, color="black", ha="center", va="center")
    else:
        above = ax.axvspan(0.4, 0.6, 0.3, 0.7, color="black")  # of the band's zorder, and added later

    def update(a):
        band.set_xy([[0, -a], [1, -a], [1, a], [0, a]])
        return f"A band up to {a}, which covers what is green, and on it something black."

    explorer = explore(fig, update, a=slider("a", 0.5, 0.9, 0.9, 0.4))
    assert above.get_animated() and not beneath.get_animated()
    for a in (0.9, 0.5, 0.9):
        explorer.set(a=a)
        now = picture(explorer).astype(int)
        middle = now[now.shape[0] // 2 - 3 : now.shape[0] // 2 + 3, now.shape[1] // 2 - 3 : now.shape[1] // 2 + 3]
        assert middle.max() < 40, "the black square is buried"
        green = np.sum((now[..., 1] > 200) & (now[..., 0] < 60))
        assert (green > 1000) is np.True_ if a == 0.5 else green < 100


def test_states_for_the_deck_are_stored_and_leave_the_explorer_as_it_was(shown):
    fig, ax = plt.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 1))
    point = moving(ax.plot([0], [0.5], marker="o", markersize=20)[0])

    def update(x, kind):
        point.set_xdata([x])
        return f"The point stands at {x} and is {kind}."

    controls = {"x": slider("x", 0.0, 10.0, 2.0, 0.5, unit="m"), "kind": switch("kind", ["a", "b"])}
    explorer = explore(fig, update, states=[{"x": 7.5, "question": (1, 3)}, {"kind": "b", "x": 0.5}], **controls)
    first, second = shown[0][1]["kcourse"]["states"]
    assert (first["says"], second["says"]) == ("x: 7.5 m", "kind: b, x: 0.5 m")
    assert (first["questions"], second["questions"]) == ([1, 3], [])
    assert first["alt"] == "The point stands at 7.5 and is a." and second["alt"] == "The point stands at 0.5 and is b."
    stored = shown[0][0]["image/png"]
    assert len({stored, first["png"], second["png"]}) == 3
    assert explorer.alt == "The point stands at 2.0 and is a." and list(point.get_xdata()) == [2.0]
    refused("x has no stop at 7.3", explore, plt.figure(), update, states=[{"x": 7.3}], **controls)


def test_years_have_no_gap():
    assert slider("until", 1991, 1992, 1992, 1, dates=True).texts == ("1991", "1992")
