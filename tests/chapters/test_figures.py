"""The explorers of the chapters: each control moves picture and words, at both ends; answers stay hidden."""

from __future__ import annotations

import functools
import io
import re
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from kcourse import (
    SVC,
    SVR,
    Brownian,
    Gaussian,
    GaussianProcess,
    KernelPerceptron,
    KNNClassifier,
    KNNRegressor,
    NadarayaWatson,
    Normalized,
    ParzenDensity,
    Polynomial,
    RBFNetworkClassifier,
)
from kcourse.chapters.ch01_neighbors import figures as ch01_neighbors
from kcourse.chapters.ch02_kernels import figures as ch02_kernels
from kcourse.chapters.ch04_gp import figures as ch04_gp
from kcourse.chapters.ch05_margin import figures as ch05_margin
from kcourse.chapters.ch06_svm import figures as ch06_svm
from kcourse.chapters.ch06b_svr_online import figures as ch06b_svr_online
from kcourse.chapters.ch07a_rbf_interpolation import figures as ch07a_rbf_interpolation
from kcourse.chapters.ch07b_rbf_networks import figures as ch07b_rbf_networks
from kcourse.chapters.ch08_kpca import figures as ch08_kpca
from kcourse.chapters.ch09_rkhs import figures as ch09_rkhs
from kcourse.chapters.ch10_scaling import figures as ch10_scaling
from kcourse.datasets import load_geyser, load_mcycle, load_synth, make_double_moon, make_sinc
from kcourse.graphs import Graph, WeisfeilerLehman
from kcourse.lab import use_style
from kcourse.lab.course_map import Chapter, draw_map
from kcourse.lab.pieces import level_lines
from kcourse.margin import MaxMargin
from kcourse.neighbors import knn_loo_path, nw_loo_path
from kcourse.rkhs import RKHSFunction
from kcourse.strings import Spectrum

CRASH, TRAIN, WAITS = load_mcycle(), load_synth(), load_geyser().X[:, 0]


@pytest.fixture(autouse=True)
def style():
    use_style()
    yield
    plt.close("all")


def window(points, sigma):
    return NadarayaWatson(Gaussian(sigma)).fit(CRASH.X, CRASH.y).smoother_matrix(points)


def nearest(points, k):
    return KNNRegressor(k).fit(CRASH.X, CRASH.y).smoother_matrix(points)


def weights():
    return ch01_neighbors.weights_explorer(CRASH, {"fading window": window, "k nearest": nearest})


def leave_one_out():
    widths = 10 ** (np.arange(-12, 35) / 20)
    return ch01_neighbors.leave_one_out_explorer(
        CRASH,
        fits={
            "fading window": lambda at, s: window(at, s) @ CRASH.y,
            "k nearest": lambda at, k: nearest(at, k) @ CRASH.y,
        },
        paths={"fading window": nw_loo_path(CRASH.X, CRASH.y, widths), "k nearest": knn_loo_path(CRASH.X, CRASH.y, 60)},
        train={
            "fading window": lambda s: np.mean((CRASH.y - window(CRASH.X, s) @ CRASH.y) ** 2),
            "k nearest": lambda k: np.mean((CRASH.y - nearest(CRASH.X, k) @ CRASH.y) ** 2),
        },
    )


def density():
    def log_density(sigma, points):
        return ParzenDensity(sigma).fit(WAITS[:, None]).log_density(points[:, None])

    return ch01_neighbors.density_explorer(WAITS, log_density, "min")


def classes():
    def vote(k, points):
        return KNNClassifier(k).fit(TRAIN.X, TRAIN.y).predict(points)

    return ch01_neighbors.classes_explorer(TRAIN, vote, lambda k: (k / 1000, 0.15 - k / 2000), bayes=0.08)


def slip():
    x = np.linspace(0, 3, 20)
    cases = {"a": (x, x), "b": (x**2 / 3, x), "c": (x, np.full(20, 2.0))}
    programs = {"as written": lambda x, y, s: 0.5 * y, "mended": lambda x, y, s: y}
    return ch01_neighbors.slip_explorer(cases, programs, 0.3)


def lift():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 7, 40)
    radius = np.where(np.arange(40) < 20, 0.3, 0.9)
    rings = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), np.where(radius > 0.5, 1, -1)
    names = ("two rings", "four clouds", "three rings")
    sets = {name: (rings[0] * f, rings[1]) for name, f in zip(names, (1.0, 0.9, 0.8), strict=True)}

    def fit(name, degree):
        model = KernelPerceptron(Polynomial(p=degree), epochs=50).fit(*sets[name])
        return model.decision_function, int(np.sum(model.predict(sets[name][0]) != sets[name][1]))

    return ch02_kernels.lift_explorer(sets, fit)


X9 = np.linspace(-2, 2, 9)


def meter():
    column = X9[:, None]
    grams = {"Gaussian": Gaussian(1.0)(column), "(1 + xz)²": Polynomial(p=2)(column), "cos": np.cos(3 * (column - X9))}
    return ch02_kernels.definiteness_explorer(X9, grams)


def sections():
    kernels = {"(1 + xz)²": lambda x, at: (1 + x * at) ** 2, "bell": lambda x, at: np.exp(-((x - at) ** 2))}
    return ch02_kernels.sections_explorer(kernels)


def samples():
    axis = np.linspace(0, 10, 41)
    z = np.random.default_rng(0).standard_normal((5, 41))

    def condition(length, k):
        sd = np.full(41, 1.0 / (1 + k))
        return np.sin(axis / length) * (k > 0), sd, z * sd[0] * length

    return ch04_gp.samples_explorer(
        axis, (np.array([1.0, 4.0, 8.0, 2.0, 6.0]), np.array([1.0, -1, 0, 2, 1])), condition
    )


def landscape():
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.uniform(-4, 4, 8)), rng.normal(size=8)
    lengths, noises = np.logspace(-0.7, 1.5, 9), np.logspace(-4, 0.7, 8)

    def fit(length, noise):
        return GaussianProcess(Gaussian(length), noise_variance=noise).fit(x[:, None], y)

    table = np.array([[fit(s, v).log_marginal_likelihood_ for s in lengths] for v in noises])
    return ch04_gp.landscape_explorer((x, y), np.linspace(-5, 5, 60), fit, (lengths, noises, table))


def forecast():
    year = np.arange(1970, 2002, 1 / 12)
    ppm = 320 + 1.5 * (year - 1970)

    def ahead(names, cut):
        at = cut + np.arange(120) / 12
        return at, 320 + 1.5 * (at - 1970) - 5 * (len(names) < 2), np.full(120, 1.0 + len(names))

    return ch04_gp.forecast_explorer(year, ppm, {"trend": None, "season": None}, ahead)


CLOUDS = np.vstack([[[1.0, 0.2], [1.5, 0.5], [1.9, 0.4]], [[3.0, 1.1], [3.3, 1.0], [4.5, 1.6]]]), np.repeat([-1, 1], 3)


def shuffled():
    rng = np.random.default_rng(2)
    lines = np.column_stack([np.ones((30, 1)), 0.15 * rng.normal(size=(30, 1)), -2.5 + 0.1 * rng.normal(size=(30, 1))])
    names, labels = ("a", "b"), ("length (cm)", "width (cm)")
    return ch05_margin.orders_explorer(CLOUDS, lines, (np.array([1.0, 0.6]), -2.9), names, labels)


def pushing():
    def solve(X, y):
        if X[0, 0] <= X[y < 0, 0].max():
            return None
        try:
            model = MaxMargin().fit(X, y)
        except ValueError:
            return None
        alpha = model.multipliers_
        other = np.full(4, alpha.sum() / 4) if len(X) == 4 else alpha
        return model.weights_, model.intercept_, alpha, other

    three = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1]), 1
    square = np.array([[4.0, 3.0], [4.0, 1.0], [2.0, 3.0], [2.0, 1.0]]), np.array([1, 1, -1, -1]), 0
    return ch05_margin.points_explorer({"three points": three, "square": square}, solve)


def rubber():
    def nearest(X, y):
        try:
            model = MaxMargin().fit(X, y)
        except ValueError:
            return None
        a = model.multipliers_
        return *(np.average(X[y == s], axis=0, weights=a[y == s]) for s in (1, -1)), model.support_

    return ch05_margin.hulls_explorer(
        CLOUDS, np.array([1.2, 0.6]), lambda X: X, nearest, ("a", "b"), ("length", "width")
    )


LOSSES = {
    "hinge": lambda m: np.maximum(0, 1 - m), "squared hinge": lambda m: np.maximum(0, 1 - m) ** 2,
    "logistic loss": lambda m: np.logaddexp(0, -m), "0/1 loss": lambda m: np.where(m <= 0, 1.0, 0.0),
    "printed loss": lambda m: np.maximum(0, m - 1),
}  # fmt: skip


def losses():
    return ch06_svm.losses_explorer(np.array([-2.0, -1, 1, 2, 1.5]), np.array([-1, -1, 1, 1, 1]), LOSSES)


SIGNS = np.where(TRAIN.y == 1, 1, -1)


def machine():
    return ch06_svm.machine_explorer(
        TRAIN.X[::2], SIGNS[::2], lambda C, sigma: SVC(Gaussian(sigma), C=C).fit(TRAIN.X[::2], SIGNS[::2])
    )


FIVE, FIVE_Y = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [0.5, 0.5]]), np.array([-1, -1, 1, 1, 1])


def smo_player():
    def state(alpha, **more):
        alpha = np.array(alpha)
        w = FIVE.T @ (alpha * FIVE_Y)
        dual = alpha.sum() - w @ w / 2
        return {"alpha": alpha, "w": w, "b": -0.5, "dual": dual, "primal": 4.0 - dual, **more}

    clipped = state([0.5, 0, 0, 0.5, 0], pair=(0, 3), before=(0, 0), free=(0.9, 0.9), after=(0.5, 0.5))
    inside = state([0.4, 0.1, 0, 0.5, 0], pair=(0, 1), before=(0.5, 0), free=(0.4, 0.1), after=(0.4, 0.1))
    last = state([0.4, 0.1, 0, 0.5, 0], pair=(4, 2), before=(0, 0), free=(0, 0), after=(0, 0))
    runs = {"largest gain": [state([0.0] * 5), clipped, inside, last], "in turn": [state([0.0] * 5), inside]}
    return ch06_svm.smo_explorer(FIVE, FIVE_Y, 0.5, runs)


SINC = make_sinc(n=20, rng=0)


def tube():
    def fit(epsilon, C):
        return SVR(Gaussian(0.5), C=C, epsilon=epsilon).fit(SINC.X, SINC.y)

    return ch06b_svr_online.tube_explorer(SINC, np.sinc, fit)


def on_line():
    X, y, steps = TRAIN.X[::5], SIGNS[::5], np.array([1, 10, 100])
    batch = SVC(Gaussian(0.3)).fit(X, y).coef_

    def path(machine, budget):
        kept = {"Pegasos": 30, "averaged": 40, "perceptron": min(budget, 20) + budget // 25}[machine]
        first = [np.where(np.arange(len(X)) < k, batch + 0.1, 0.0) for k in (1, kept // 2, kept)]
        return np.array(first)

    def judge(coef):
        return float(np.sum((coef - batch) ** 2)), int(np.sum(coef == 0)), int(np.sum(coef != 0))

    return ch06b_svr_online.online_explorer(
        X, y, steps, path, lambda coef, points: Gaussian(0.3)(points, X) @ coef, judge, batch
    )


def half_steps():
    """Runs in which the first centre comes nearer, of different length and cost."""
    four = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]])
    many = np.random.default_rng(3).normal(size=(60, 2))

    def run(X, k, length):
        states = []
        for i in range(length):
            T = X[:k] + 0.1 * i
            groups = np.arange(len(X)) % k
            states.append((T, groups, 130.0 / (1 + i)))
        return states

    runs = {
        "cloud": {"A": run(many, 3, 7), "B": run(many + 0.3, 3, 5)},
        "corners": {"A": run(four, 2, 4), "B": run(four + 0.2, 2, 2)},
    }
    return ch07b_rbf_networks.kmeans_explorer({"cloud": many, "corners": four}, runs, {"cloud": 9.0, "corners": 2.0})


def bells():
    @functools.cache
    def data(distance):
        return tuple(make_double_moon(n, distance=distance, rng=n) for n in (80, 200))

    def fit(distance, way, m, rule):
        seen = data(distance)[0]
        return RBFNetworkClassifier(m, centers=way, sigma=rule, max_iter=3).fit(seen.X, seen.y)

    return ch07b_rbf_networks.moons_explorer(data, fit)


def posteriors():
    def network(kind, m):
        model = RBFNetworkClassifier(m, bias=kind == "squares, bias").fit(TRAIN.X, SIGNS)
        if kind == "normalised":
            return lambda points: np.abs(model.outputs(points)) / np.abs(model.outputs(points)).sum(1, keepdims=True)
        return model.outputs

    return ch07b_rbf_networks.posterior_explorer(TRAIN.X, SIGNS, network)


def two_units():
    return ch07b_rbf_networks.units_explorer(np.array([0.6, 0.8]), np.array([0.5, 0.2]))


CORNERS, LAMP = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1, -1, 1, 1])


def switches():
    def separate(Phi, bias):
        return (np.array([-1.0, -1.1]), 0.9) if bias else None

    return ch07a_rbf_interpolation.xor_explorer(CORNERS, LAMP, Gaussian(np.sqrt(0.5)), separate)


def digits():
    x = np.linspace(-1, 1, 9)[:, None]

    def solve(name, c, line):
        Phi = Gaussian(c)(x)
        sign = {"Gaussian": 1, "multiquadric": -1, "r²": -2}[name]
        return sign * Gaussian(c)(line[:, None], x) @ np.linalg.solve(
            Phi, np.sin(3 * x[:, 0])
        ), sign * np.linalg.eigvalsh(Phi)

    return ch07a_rbf_interpolation.basis_explorer(
        x[:, 0], np.sin(3 * x[:, 0]), lambda at: np.sin(3 * at), ("Gaussian", "multiquadric", "r²"), solve
    )


def penalty():
    x, y, lams = np.array([-1.0, 0.0, 1.0]), np.array([1.0, 2.0, 1.0]), np.array([0.0, 0.1, 0.25, 0.5])

    def solve(how, lam, line):
        plus = how == "Φ + λI"
        values = np.array([-1.4, -0.25, 3.8]) + lam if plus else np.array([-1.4, -0.2]) - lam
        return (None if np.abs(values).min() < 1e-9 else 2 - line**2 - lam * (2 - plus)), values

    return ch07a_rbf_interpolation.penalty_explorer(x, y, solve, lams)


def rings():
    rng = np.random.default_rng(4)
    angle, inner = rng.uniform(0, 7, 40), np.arange(40) % 2
    X = np.where(inner, 0.3, 1.0)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])

    def fit(sigma):
        def score(points):
            r2 = np.sum(points**2, axis=1)
            return np.column_stack([points, np.exp(-r2 / sigma**2) - 0.5])

        return score, score(X), np.array([0.5, 0.3, 0.1]) / (1 + sigma)

    return ch08_kpca.rings_explorer((X, inner), fit, lambda s: (np.median(s), 0.9), ("outer", "inner"), 3)


def scree():
    return ch08_kpca.scree_explorer(lambda sigma: 20 * 0.8 ** (np.arange(30) * sigma), 178, 3.0)


def cleaning():
    rng = np.random.default_rng(5)
    clean = rng.uniform(0, 16, (3, 64))
    cleaners = {"first": lambda x, q: x * q / 400, "second": lambda x, q: x - 1 / q}
    return ch08_kpca.cleaning_explorer(clean, rng.standard_normal((3, 64)), cleaners)


def two_sections():
    return ch09_rkhs.sections_explorer(
        Brownian(), lambda X, y: np.linalg.solve(Brownian()(X), y), first=(0.3, 0.8), second=0.3
    )


def one_letter():
    def alike(x, z, k):
        return Normalized(Spectrum(k))([x], [z])[0, 0]

    return ch09_rkhs.kmers_explorer("FVNQHLCGSHLVEALYLVCGERGFFYTPKT", alike, ("a chain", "one letter changed"))


def colors():
    chain = ([(0, 1), (1, 2)], np.array([[-1.0, 0], [0, 0.5], [1, 0]]))
    ring = ([(0, 1), (1, 2), (2, 0)], np.array([[-1.0, 0], [0, 1], [1, 0]]))
    pairs = {"chain and ring": (chain, ring), "two rings": (ring, ring)}

    def rounds(name):
        graphs = [Graph.from_edges(edges) for edges, _ in pairs[name]]
        return list(zip(*(c.T for c in WeisfeilerLehman(3).colors(graphs)), strict=True))

    return ch09_rkhs.colors_explorer(pairs, rounds)


def features():
    sizes, rng = (10, 20, 40, 80), np.random.default_rng(6)
    found = [rng.uniform(0.2, 4, (k, 4)) for k in (2, 3, 2, 3)]
    tasks = {
        "first": ch10_scaling.Task(100, 2, *found[:2], 0.1, "error", "m"),
        "second": ch10_scaling.Task(200, 64, *found[2:], 0.2, "wrong", "%"),
    }
    return ch10_scaling.features_explorer(tasks, sizes, 10)


def frequencies():
    def draw(seed, D, kind, u):
        omega = np.random.default_rng(seed).normal(size=D // 2 if kind == "pairs" else D)
        return np.cos(np.outer(u, omega)).mean(axis=1), omega

    return ch10_scaling.frequencies_explorer(
        draw, lambda k, kind: 1 - k**2 + 0.3 * (kind != "pairs"), ("pairs", "phases")
    )


EXPLORERS = {
    "weights": weights, "leave one out": leave_one_out, "density": density, "classes": classes, "slip": slip,
    "lift": lift, "meter": meter, "sections": sections, "arrows": ch02_kernels.arrows_explorer,
    "samples": samples, "landscape": landscape, "forecast": forecast,
    "shuffled": shuffled, "pushing": pushing, "rubber": rubber,
    "losses": losses, "machine": machine, "smo player": smo_player, "tube": tube, "on line": on_line,
    "half steps": half_steps, "bells": bells, "posteriors": posteriors, "two units": two_units,
    "switches": switches, "digits": digits, "penalty": penalty,
    "rings": rings, "scree": scree, "cleaning": cleaning,
    "two sections": two_sections, "one letter": one_letter, "colours": colors,
    "features": features, "frequencies": frequencies,
}  # fmt: skip
# controls that do nothing until another one is moved
AFTER = {("weights", "k"): {"method": "k nearest"}, ("leave one out", "k"): {"method": "k nearest"},
         ("meter", "k2"): {"how": "k₁ − k₂"}, ("pushing", "way"): {"points": "square", "bars_": "shown"},
         ("smo player", "rule"): {"step": 1},
         ("switches", "bias"): {"line": "shown"}, ("penalty", "how"): {"lam": 0.1, "numbers": "shown"},
         ("on line", "budget"): {"machine": "perceptron", "points": 100}}  # fmt: skip


def picture(explorer):
    return explorer.picture


@functools.cache
def made(name):
    """An explorer, which every test leaves as it found it."""
    return EXPLORERS[name]()


@pytest.mark.parametrize("name", EXPLORERS)
def test_every_control_moves_the_picture_and_the_words_to_both_ends_and_back(name):
    explorer = made(name)
    start, alt, first = explorer.values(), explorer.alt, picture(explorer)
    for control, face in explorer.controls.items():
        explorer.set(**AFTER.get((name, control), {}))
        for stop in dict.fromkeys((face.stops[0], face.stops[len(face.stops) // 2], face.stops[-1])):
            before, words = picture(explorer), explorer.alt
            moved = explorer.values()[control] != stop
            explorer.set(**{control: stop})
            assert explorer.problem == ""
            if moved:
                assert explorer.alt != words, (control, stop)
                assert picture(explorer) != before, (control, stop)
        explorer.set(**start)
    assert (explorer.alt, picture(explorer)) == (alt, first)


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_moving_picture_is_the_one_of_the_deck(name):
    """Nothing is buried: the picture put together from background and moving artists is the one drawn at once."""
    explorer = made(name)
    explorer._draw_moving()
    together = np.asarray(explorer._drawn()).astype(int)
    for artist in explorer._moving:
        artist.set_animated(False)
    explorer.fig.canvas.draw()
    at_once = np.asarray(explorer._drawn()).astype(int)
    for artist in explorer._moving:
        artist.set_animated(True)
    explorer._keep_background(1.0)
    differ = np.abs(together - at_once).max(axis=2) > 60
    whole = differ[1:-1, 1:-1].copy()  # a curve may cross the frame or the other way round: that is a few pixels thin
    for i, j in ((0, 1), (2, 1), (1, 0), (1, 2)):
        whole &= differ[i : i + whole.shape[0], j : j + whole.shape[1]]
    assert np.sum(whole) == 0


def red(explorer):
    pixels = np.asarray(Image.open(io.BytesIO(explorer.picture)).convert("RGB")).astype(int)
    return int(np.sum((pixels[..., 0] > 150) & (pixels[..., 1] < 100) & (pixels[..., 2] < 100)))


def test_a_colour_that_the_first_picture_does_not_have_is_there_when_it_is_needed():
    explorer = meter()
    assert red(explorer) == 0
    explorer.set(k1="(1 + xz)²", how="tanh k₁", verdict="shown")
    assert red(explorer) > 100
    explorer.set(how="k₁²")
    assert red(explorer) == 0


@pytest.mark.parametrize("name", EXPLORERS)
def test_nothing_overflows_the_figure_and_the_words_are_whole_sentences(name):
    explorer = made(name)
    assert explorer.alt[0].isupper() and explorer.alt.endswith(".") and not re.search(r"nan|None|\[|\{", explorer.alt)
    assert len(explorer.metadata["kcourse"]["states"]) >= 1
    fig = explorer.fig
    fig.canvas.draw()
    for ax in fig.axes:
        title = ax.title.get_window_extent() if ax.title.get_text().strip() else None
        assert title is None or (title.x1 <= fig.bbox.x1 + 1 and title.y1 <= fig.bbox.y1 + 1), ax.get_title()


@pytest.mark.parametrize(
    ("name", "switch", "secret"),
    [
        ("leave one out", "answers", r"leave-one-out error, \d"),
        ("density", "numbers", r"bump|area|log p"),
        ("classes", "answers", r"error, 0\.\d"),
        ("meter", "verdict", r"eigenvalue"),
        ("arrows", "numbers", r"least eigenvalue"),
        ("landscape", "landscape", r"two summits"),
        ("forecast", "numbers", r"RMSE"),
        ("shuffled", "best_line", r"widest margin keeps"),
        ("pushing", "bars_", r"Multipliers \d|support vectors"),
        ("rubber", "numbers", r"Σα = \d"),
        ("losses", "minimum", r"least \d"),
        ("machine", "numbers", r"\d+ free|gap"),
        ("tube", "numbers", r"\d+ of 20"),
        ("half steps", "best", r"least that is known"),
        ("bells", "mistakes", r"k-means \d"),
        ("posteriors", "numbers", r"sums between"),
        ("switches", "line", r"it separates|there is none"),
        ("digits", "eigenvalues", r"\d positive"),
        ("penalty", "numbers", r"nearest to 0"),
        ("one letter", "curve_", r"lies between"),
    ],
)
def test_answers_stay_hidden_until_they_are_asked_for(name, switch, secret):
    explorer = made(name)
    start = explorer.values()
    assert explorer.values()[switch] == "hidden" and not re.search(secret, explorer.alt)
    explorer.set(**{switch: "shown"})
    assert re.search(secret, explorer.alt)
    explorer.set(**start)


def test_the_weights_say_how_many_points_a_mean_is_worth():
    explorer = weights()
    explorer.set(method="k nearest", k=20)
    assert "worth 20.0 equal ones" in explorer.alt and "the largest 0.050" in explorer.alt
    explorer.set(method="fading window", x0=62.0)
    assert "the largest 1.000" in explorer.alt


def test_the_meter_proves_what_it_refutes():
    explorer = meter()
    for how in ("k₁ − k₂", "min(k₁, k₂)", "tanh k₁"):
        explorer.set(k1="(1 + xz)²", how=how, k2="cos", verdict="shown")
        assert "Proof" in explorer.alt, (how, explorer.alt)
        assert "the least eigenvalue is -" in explorer.alt, how
        points, c, value = re.search(
            r"at x = (.+?) with c = (.+?) Σ cᵢcⱼ k\(xᵢ, xⱼ\) = (\S+?)\.?$", explorer.alt
        ).groups()
        x = np.array([min(X9, key=lambda v, p=p: abs(v - float(p))) for p in points.split(", ")])
        c = np.array([float(v) for v in c.split(", ")])
        K1, K2 = (1 + np.outer(x, x)) ** 2, np.cos(3 * np.subtract.outer(x, x))
        by_hand = c @ ch02_kernels.HOW[how](K1, K2) @ c
        assert by_hand < 0 and by_hand == pytest.approx(float(value), rel=0.01)
    explorer.set(how="√|k₁|")
    assert "it takes more" in explorer.alt
    for how in ("k₁ + k₂", "k₁ · k₂", "exp k₁", "k₁²"):
        explorer.set(how=how)
        assert "no eigenvalue is negative" in explorer.alt, how


@pytest.mark.parametrize(
    ("b", "c", "there"), [(-0.5, 1.0, True), (2.0, 1.0, False), (2.0, 4.0, True), (1.0, 0.0, False)]
)
def test_arrows_are_there_if_and_only_if_the_matrix_is_positive_semi_definite(b, c, there):
    explorer = ch02_kernels.arrows_explorer()
    explorer.set(b=b, c=c, numbers="shown")
    assert ("two arrows with these inner products" in explorer.alt) is there
    least = np.linalg.eigvalsh([[1, b], [b, c]])[0]
    assert f"least eigenvalue {least:.3g}" in explorer.alt or abs(least) < 1e-12
    first, second = explorer.fig.axes[0].lines
    if there:
        tips = np.array([[line.get_xdata()[1], line.get_ydata()[1]] for line in (first, second)])
        np.testing.assert_allclose(tips @ tips.T, [[1, b], [b, c]], atol=1e-12)
    assert first.get_visible() is there


def test_the_strip_lies_where_its_plane_says():
    fig, ax = plt.subplots()
    line, low, high, band = ch05_margin.strip(ax, np.array([3.0, 4.0]), -5.0)
    for artist, level in ((line, 0), (low, -1), (high, 1)):
        np.testing.assert_allclose(3 * artist.get_xdata() + 4 * artist.get_ydata() - 5, level, atol=1e-9)
    corners = band.get_xy()[:4] @ [3.0, 4.0] - 5
    np.testing.assert_allclose(np.sort(corners), [-1, -1, 1, 1], atol=1e-9)
    ch05_margin.strip(ax, np.array([0.0, 2.0]), 2.0, 0.25, artists=(line, low, high, band))
    np.testing.assert_allclose(line.get_ydata(), -1.0)
    np.testing.assert_allclose(low.get_ydata(), -1.25)


def test_a_point_that_moves_takes_over_and_the_way_leaves_the_line():
    explorer = pushing()
    explorer.set(bars_="shown")
    assert "Multipliers 0.250, 0.000, 0.250, so 2 support vectors: point 1, 3." in explorer.alt
    explorer.set(right_by=-2.0)  # (2, 3) touches, too
    assert "point 1" not in explorer.alt.split("support vectors")[1] or "0.250" not in explorer.alt
    explorer.set(right_by=-2.0, up_by=-2.0)  # (2, 1): nearer to (1, 1) than (3, 3) is
    assert "The widest strip between the classes is 1.000 wide" in explorer.alt
    assert "0.00 x₂" in explorer.alt
    explorer.set(points="square", right_by=0.0, up_by=0.0)
    line, bars = explorer.fig.axes[0].lines[0].get_xdata().copy(), explorer.alt
    explorer.set(way=1.0)
    assert explorer.alt != bars and "Multipliers 0.250, 0.250, 0.250, 0.250" in explorer.alt
    np.testing.assert_array_equal(explorer.fig.axes[0].lines[0].get_xdata(), line)
    explorer.set(right_by=-2.0)
    assert explorer.alt.endswith("No line separates the two classes.")


def test_the_segment_is_perpendicular_in_the_units_of_the_machine():
    explorer = rubber()
    for stretch in (1.0, 10.0):
        explorer.set(stretch=stretch)
        line, *_, segment = explorer.fig.axes[0].lines[2:6]
        along = np.array(
            [np.ptp(line.get_xdata()), np.diff(line.get_ydata())[0] * np.sign(np.diff(line.get_xdata())[0])]
        )
        across = np.array([np.diff(segment.get_xdata())[0], np.diff(segment.get_ydata())[0]])
        unit = np.array([1.0, stretch])
        cosine = (along * unit) @ (across * unit) / np.linalg.norm(along * unit) / np.linalg.norm(across * unit)
        assert abs(cosine) < 1e-6
    assert abs(along @ across) / np.linalg.norm(along) / np.linalg.norm(across) > 0.1  # in centimetres it is not
    explorer.set(stretch=1.0, push=1.5)
    assert "They meet" in explorer.alt


def test_the_histogram_counts_the_lines_that_were_drawn():
    explorer = shuffled()
    right = explorer.fig.axes[1]
    for k in (1, 30):
        explorer.set(k=k)
        heights = [segment[1, 1] for segment in right.collections[0].get_segments()]
        assert sum(heights) == k
    assert "the median of those drawn" in explorer.alt


def test_the_printed_loss_is_least_for_a_machine_that_says_nothing_wherever_the_diamond_is():
    explorer = losses()
    for at in (-6.0, -1.0, 2.0):
        explorer.set(loss="printed loss", odd_at=at, minimum="shown")
        assert "least 0.00 at w = 0.00" in explorer.alt
    explorer.set(loss="hinge", odd_at=-4.0, w0=0.5)
    # ½·¼ + (0.5 of the points at ±1, two of them) + 0 + 3 of the diamond
    assert "here 4.12, least 4.12 at w = 0.50" in explorer.alt


def test_the_machine_counts_what_it_marks_and_all_its_points_lie_on_the_staircase():
    explorer = machine()
    explorer.set(C=100.0, numbers="shown")
    model = SVC(Gaussian(10 ** (-3 / 10)), C=100.0).fit(TRAIN.X[::2], SIGNS[::2])
    bound = int(np.sum(model.multipliers_ == 100.0))
    assert f"{len(model.support_) - bound} free, {bound} bound" in explorer.alt
    for line in explorer.fig.axes[1].lines[1:]:  # the first is the staircase
        x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        on_it = ((x == 0) & (y > 0.99)) | (np.abs(y - 1) < 0.01) | ((x == 1) & (y < 1.01))
        assert np.all(on_it)


def test_the_player_says_whether_a_step_was_clipped_and_stays_on_its_line():
    explorer = smo_player()
    assert "before the first step" in explorer.alt
    explorer.set(step=1)
    assert "points 1 and 4 from α = 0.000 and 0.000 to 0.500 and 0.500, clipped at the box" in explorer.alt
    explorer.set(step=2)
    assert "points 1 and 2" in explorer.alt and "inside the box" in explorer.alt
    beyond, within = explorer.fig.axes[1].lines[:2]
    for line in (beyond, within):  # one class: α of the first falls as that of the second rises
        np.testing.assert_allclose(line.get_xdata() + line.get_ydata(), 0.5)
    assert 0 <= within.get_xdata().min() and within.get_xdata().max() <= 0.5
    explorer.set(rule="in turn")  # which has one step only: it stays at its end
    assert "step 1 of 1" in explorer.alt


def test_a_tube_says_how_many_hold_it_and_every_point_is_on_its_staircase():
    explorer = tube()
    counts = []
    for epsilon in (0.0, 0.1, 0.4, 0.8):
        explorer.set(epsilon=epsilon, numbers="shown")
        counts.append(int(re.search(r"(\d+) of 20 are", explorer.alt)[1]))
        for line in explorer.fig.axes[1].lines[1:]:
            beta, r = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
            inside, at_C = np.abs(r) <= epsilon + 2e-3, np.abs(beta) == 1
            on_edge, outside = np.abs(np.abs(r) - epsilon) < 2e-3, np.abs(r) > epsilon - 2e-3
            assert np.all((beta == 0) & inside | on_edge | at_C & outside)
    assert counts[0] == 20 and counts == sorted(counts, reverse=True) and counts[-1] == 0


def test_on_line_a_perceptron_has_no_objective_and_keeps_its_budget():
    explorer = on_line()
    assert "objective" in explorer.alt and "1 point, 1 kept" in explorer.alt
    explorer.set(machine="perceptron", points=100, budget=10)
    assert "objective" not in explorer.alt and "a perceptron with a budget of 10" in explorer.alt
    assert "100 points, 10 kept" in explorer.alt


def test_the_line_of_the_hidden_plane_and_the_border_of_the_switches_are_one():
    explorer = switches()
    left, right = explorer.fig.axes
    assert not left.collections[0].get_segments() and "hidden" in explorer.alt
    explorer.set(line="shown")
    (border,) = left.collections[0].get_segments()
    Phi = Gaussian(np.sqrt(0.5))(border, np.array([[1.0, 1.0], [0.0, 0.0]]))
    assert np.abs(Phi @ [-1.0, -1.1] + 0.9).max() < 0.02
    ends = np.concatenate(right.collections[0].get_segments())
    assert np.abs(ends @ [-1.0, -1.1] + 0.9).max() < 1e-6
    explorer.set(bias="none")
    assert not right.collections[0].get_segments() and "a line through 0: there is none" in explorer.alt


def test_eigenvalues_that_are_rounding_have_no_sign():
    explorer = digits()
    explorer.set(eigenvalues="shown", c=explorer.controls["c"].stops[0])
    assert "9 positive, 0 negative" in explorer.alt
    explorer.set(basis="multiquadric")
    assert "0 positive, 9 negative" in explorer.alt
    explorer.set(basis="Gaussian", c=explorer.controls["c"].stops[-1])
    assert re.search(r"[1-8] positive, 0 negative, [1-8] lost; condition number beyond 1e15", explorer.alt)


def test_where_the_system_is_singular_there_is_no_curve():
    explorer = penalty()
    explorer.set(lam=0.25)
    curve = explorer.fig.axes[0].lines[0]
    assert "no curve: the system is singular" in explorer.alt and np.isnan(curve.get_ydata()).all()
    explorer.set(how="Φ − λI and a constant")
    assert "no curve" not in explorer.alt and np.isfinite(curve.get_ydata()).all()


def test_lines_of_a_level_are_where_the_function_has_it_and_none_where_it_has_not():
    u, v = np.linspace(-2, 2, 41), np.linspace(-1, 3, 31)
    f = u[None, :] ** 2 + v[:, None] ** 2
    (circle,) = level_lines(u, v, f, 0.8)
    np.testing.assert_allclose(np.hypot(*circle.T), np.sqrt(0.8), atol=0.02)
    assert level_lines(u, v, f, 20.0) == [] and level_lines(u, v, 0 * f, 0.0) == []


def test_the_map_has_a_box_for_each_chapter_and_an_arrow_for_each_need():
    course = [Chapter("1", "one", (0, 0), "lift", hours="1 h"), Chapter("2", "two", (1, 1), "lift", ("1",))]
    fig = draw_map(course)
    kinds = [type(patch).__name__ for patch in fig.axes[0].patches]
    assert kinds.count("FancyBboxPatch") == 2 and kinds.count("FancyArrowPatch") == 1
    said = {text.get_text() for text in fig.axes[0].texts}
    assert {"1  one", "2  two", "1 h", "to come"} <= said
    assert SimpleNamespace(**vars(course[1])).hours == ""


def test_the_area_is_the_norm():
    explorer = two_sections()
    for x, a1, a2 in ((0.8, 1.0, 0.0), (0.5, -2.0, 1.5), (0.35, 0.5, -0.25)):
        explorer.set(x=x, a1=a1, a2=a2)
        norm2 = RKHSFunction(Brownian(), [[0.3], [x]], [a1, a2]).norm2
        assert f"the area {norm2:.3f}" in explorer.alt
    explorer.set(x=0.5, weights="f meets both crosses")
    assert f"the area {0.8**2 / 0.3 + 0.5**2 / 0.2:.3f}" in explorer.alt and "to 0.80 at 0.3" in explorer.alt


def test_the_dots_are_the_kernel():
    explorer = one_letter()
    human = "FVNQHLCGSHLVEALYLVCGERGFFYTPKT"
    for k, place in ((1, 3), (3, 15), (6, 30)):
        explorer.set(k=k, place=place)
        changed = human[: place - 1] + ("G" if human[place - 1] == "A" else "A") + human[place:]
        assert f", {int(Spectrum(k)([human], [changed])[0, 0])} dots," in explorer.alt


def test_the_rounds_add_up_to_the_kernel():
    explorer = colors()
    for h, kernel in enumerate((9, 12, 12, 12)):
        explorer.set(h=h)
        assert f"the kernel is {kernel}." in explorer.alt
    assert "not the same in both" in explorer.alt
    explorer.set(pair="two rings")
    assert "the kernel is 36." in explorer.alt and "not the same" not in explorer.alt
