"""kcourse.datasets: the curriculum's counts and anchors, provenance, read-only arrays, errors, imports."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import zipfile
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

import kcourse
from kcourse import datasets
from kcourse.datasets import (
    Dataset,
    SequenceDataset,
    load_co2,
    load_diabetes,
    load_geyser,
    load_mcycle,
    load_peptides,
    load_synth,
    load_terrain,
    make_sinc,
)
from tests.rows import each
from tests.unit.refused import refused

FOLDER = Path(datasets.__file__).parent
FILES = FOLDER / "files"
MASS_SAYS = "Our understanding is that the dataset files MASS/data/*.rda are not copyright"
README = (FILES / "README.md").read_text(encoding="utf-8")

# name -> (call, shape of X, unit of every feature and of the target)
VECTORS = {
    "mcycle": (load_mcycle, (133, 1), {"time": "ms", "acceleration": "g"}),
    "geyser": (load_geyser, (299, 1), {"waiting": "min", "duration": "min"}),
    "synth (train)": (load_synth, (250, 2), {"xs": "", "ys": "", "class": ""}),
    "synth (test)": (lambda **kw: load_synth("test", **kw), (1000, 2), {"xs": "", "ys": "", "class": ""}),
    "co2": (load_co2, (521, 1), {"time": "year", "CO2": "ppm"}),
    "diabetes": (load_diabetes, (442, 10), None),
    "diabetes (raw)": (lambda **kw: load_diabetes(scaled=False, **kw), (442, 10), None),
    "terrain": (load_terrain, (138632, 2), {"east": "km", "north": "km", "height": "m"}),
    "sinc": (lambda **kw: make_sinc(rng=0, **kw), (30, 1), {"x": "", "y": ""}),
}
LOADERS = {name: call for name, (call, _, _) in VECTORS.items()} | {"peptides": load_peptides}


@each("name", VECTORS)
def test_shapes_types_and_units(name):
    call, shape, units = VECTORS[name]
    data = call()
    assert isinstance(data, Dataset)
    assert data.name == name
    assert data.X.shape == shape and data.X.dtype == np.float64 and data.X.flags.c_contiguous
    assert data.y.shape == shape[:1]
    assert data.y.dtype == (np.int64 if name.startswith("synth") else np.float64)
    assert np.isfinite(data.X).all() and np.isfinite(data.y).all()
    assert len(data.feature_names) == shape[1]
    assert list(data.units) == [*data.feature_names, data.target_name]
    assert units is None or data.units == units


@each("name", LOADERS)
def test_arrays_are_read_only_and_fields_are_fixed(name):
    data = LOADERS[name]()
    for array in (a for a in (data.X, data.y) if isinstance(a, np.ndarray)):
        assert not array.flags.writeable
        assert array.base is None  # no writable array behind the read-only one
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(FrozenInstanceError):
        data.y = None
    with pytest.raises((AttributeError, TypeError)):  # slots: a mistyped field does not become a new one
        data.Y = None


@each("name", LOADERS)
def test_return_X_y_is_the_pair_and_every_call_is_fresh(name):
    data = LOADERS[name]()
    X, y = LOADERS[name](return_X_y=True)
    assert np.array_equal(X, data.X) and np.array_equal(y, data.y)
    assert type(X) is type(data.X)
    data.units["time"] = "spoilt"
    assert LOADERS[name]().units.get("time") != "spoilt"


def test_mcycle_has_39_repeated_times_and_the_anchor_of_chapter_1():
    X, y = load_mcycle(return_X_y=True)
    x = X[:, 0]
    assert len(x) - len(np.unique(x)) == 39
    assert (np.diff(x) >= 0).all()
    assert (x.min(), x.max(), y.min(), y.max()) == (2.4, 57.6, -134.0, 75.0)
    # leave-one-out Nadaraya-Watson at σ = 0.91: the curriculum's 595.94
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * 0.91**2))
    np.fill_diagonal(K, 0.0)
    assert np.mean((y - K @ y / K.sum(axis=1)) ** 2) == pytest.approx(595.94, abs=5e-3)


def test_geyser_pairs_an_eruption_with_the_wait_before_it():
    X, y = load_geyser(return_X_y=True)
    wait = X[:, 0]
    assert (wait.min(), wait.max(), y.max()) == (43.0, 108.0, 5.45)
    assert y.min() == pytest.approx(5 / 6, abs=1e-6)
    # a long eruption empties the geyser: the *next* wait is long; within a row the sign is the other one
    assert np.corrcoef(y[:-1], wait[1:])[0, 1] > 0.85
    assert np.corrcoef(wait, y)[0, 1] == pytest.approx(-0.64, abs=5e-3)


@pytest.mark.parametrize("subset, n", [("train", 250), ("test", 1000)])
def test_synth_is_half_and_half_in_order_of_class(subset, n):
    data = load_synth(subset)
    assert np.array_equal(data.y, np.repeat([0, 1], n // 2))
    assert data.X.min() > -1.3 and data.X.max() < 1.3


def test_bayes_rule_errs_on_8_percent_of_synth_test():
    X, y = load_synth("test", return_X_y=True)

    def density(centres):  # Ripley's mixture: two round Gaussians a class, variance 0.03
        return sum(np.exp(-((X - c) ** 2).sum(axis=1) / 0.06) for c in centres)

    says_1 = density([(-0.3, 0.7), (0.4, 0.7)]) > density([(-0.7, 0.3), (0.3, 0.3)])
    assert np.mean(says_1 != y) == 0.08


def test_one_nearest_neighbour_on_synth_gives_the_anchor_of_chapter_1():
    X, y = load_synth("train", return_X_y=True)
    Z, t = load_synth("test", return_X_y=True)
    nearest = ((Z[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)
    assert np.mean(y[nearest] != t) == pytest.approx(0.150, abs=1e-12)


def test_co2_has_521_months_of_mean_339_8227_and_leaves_five_out():
    X, y = load_co2(return_X_y=True)
    assert y.mean() == pytest.approx(339.8227, abs=5e-5)
    assert (y.min(), y.max()) == (313.4, 373.8)
    assert X[0, 0] == 1958 + 2 / 12 and X[-1, 0] == 2001 + 11 / 12
    months = np.rint(X[:, 0] * 12).astype(int)
    assert (np.diff(months) > 0).all()
    missing = sorted(set(range(months[0], months[-1] + 1)) - set(months.tolist()))
    assert [(m // 12, m % 12 + 1) for m in missing] == [(1958, 6), (1958, 10), (1964, 2), (1964, 3), (1964, 4)]


def test_peptides_are_412_distinct_sequences_half_of_each_label():
    data = load_peptides()
    assert isinstance(data, SequenceDataset) and isinstance(data.X, tuple)
    assert len(data.X) == len(set(data.X)) == 412
    assert data.y.dtype == np.int64 and np.array_equal(data.y, np.repeat([0, 1], 206))
    assert set("".join(data.X)) == set("ACDEFGHIKLMNPQRSTVWY")
    lengths = np.array([len(s) for s in data.X])
    assert (lengths[data.y == 0].min(), lengths[data.y == 0].max()) == (8, 38)
    assert (lengths[data.y == 1].min(), lengths[data.y == 1].max()) == (10, 56)
    assert data.units == {"sequence": "", "antimicrobial": ""}


def test_diabetes_scaled_means_centred_with_unit_sum_of_squares():
    scaled, raw = load_diabetes(), load_diabetes(scaled=False)
    assert np.abs(scaled.X.mean(axis=0)).max() < 1e-15
    np.testing.assert_allclose((scaled.X**2).sum(axis=0), 1.0, rtol=1e-12)
    centred = raw.X - raw.X.mean(axis=0)
    np.testing.assert_allclose(centred / (raw.X.std(axis=0) * np.sqrt(442)), scaled.X, atol=1e-12)
    assert np.array_equal(raw.y, scaled.y) and (raw.y.min(), raw.y.max()) == (25.0, 346.0)
    assert raw.units["age"] == "years" and set(scaled.units.values()) == {""}
    assert set(raw.X[:, 1]) == {1.0, 2.0}
    assert "BSD-3-Clause" in raw.terms and "scikit-learn" in raw.origin and "Efron" in raw.origin


def test_diabetes_gives_the_anchor_of_chapter_3():
    X, y = load_diabetes(return_X_y=True)
    fitted = X @ np.linalg.solve(X.T @ X + np.eye(10), X.T @ y)  # ridge, λ = 1, no intercept
    np.testing.assert_allclose(fitted[:3], [30.53987004, -61.13487760, 13.97999181], atol=5e-9)


@pytest.mark.parametrize(
    "sigma, rmse, df, loo",
    [(0.2, 0.184071, 12.5520, 0.044965), (0.5, 0.086013, 8.1260, 0.028521), (1.0, 0.141554, 5.2317, 0.043831)],
)
def test_sinc_gives_the_anchors_of_chapter_3(sigma, rmse, df, loo):
    X, y = make_sinc(rng=np.random.default_rng(0), return_X_y=True)
    x, t, lam = X[:, 0], np.arange(-3, 3, 0.05), 0.5

    def gaussian(a, b):
        return np.exp(-((a[:, None] - b) ** 2) / (2 * sigma**2))

    inverse = np.linalg.inv(gaussian(x, x) + lam * np.eye(30))
    alpha = inverse @ y
    assert np.sqrt(np.mean((gaussian(t, x) @ alpha - np.sinc(t)) ** 2)) == pytest.approx(rmse, abs=6e-7)
    assert np.trace(gaussian(x, x) @ inverse) == pytest.approx(df, abs=6e-5)
    assert np.mean((alpha / np.diag(inverse)) ** 2) == pytest.approx(loo, abs=6e-7)


def test_sinc_draws_x_first_and_then_the_noise():
    X, y = make_sinc(7, noise=0.3, rng=5, return_X_y=True)
    rng = np.random.default_rng(5)
    x = 6 * rng.random(7) - 3
    assert np.array_equal(X[:, 0], x)
    assert np.array_equal(y, np.sinc(x) + 0.3 * rng.standard_normal(7))


def test_sinc_is_determined_by_its_seed():
    first, again, generator, other = (make_sinc(rng=r) for r in (3, np.int64(3), np.random.default_rng(3), 4))
    for same in (again, generator):
        assert np.array_equal(first.X, same.X) and np.array_equal(first.y, same.y)
    assert not np.array_equal(first.X, other.X)
    rng = np.random.default_rng(3)  # a Generator goes on: the second draw is a new sample
    assert not np.array_equal(make_sinc(rng=rng).X, make_sinc(rng=rng).X)


def test_sinc_noise_changes_y_only_by_its_scale():
    none, some, more = (make_sinc(rng=0, noise=s) for s in (0.0, 0.15, 0.3))
    assert np.array_equal(none.X, some.X) and np.array_equal(none.y, np.sinc(none.X[:, 0]))
    np.testing.assert_allclose(more.y - none.y, 2 * (some.y - none.y), atol=1e-15)
    large = make_sinc(20_000, rng=1)
    assert np.std(large.y - np.sinc(large.X[:, 0])) == pytest.approx(0.15, rel=0.02)
    assert -3 <= large.X.min() < -2.99 and 2.99 < large.X.max() < 3


def test_sinc_needs_rng_by_name():
    refused("'rng'", make_sinc, error=TypeError)
    with pytest.raises(TypeError):
        make_sinc(30, 0.15, 0)


def test_sinc_names_the_bad_argument():
    refused("n must be at least 1", make_sinc, rng=0, n=0)
    refused("n must be an integer", make_sinc, error=TypeError, rng=0, n=2.5)
    refused("n must be an integer", make_sinc, error=TypeError, rng=0, n=True)
    refused("noise must be at least 0", make_sinc, rng=0, noise=-0.1)
    refused("noise must be finite", make_sinc, rng=0, noise=np.nan)
    refused("noise must be a number", make_sinc, error=TypeError, rng=0, noise="a lot")
    refused("rng is the seed -1", make_sinc, rng=-1)


@pytest.mark.parametrize("subset", ["val", "Train", "", None, 0, ["train"]])
def test_synth_names_the_two_subsets(subset):
    refused(r"subset is .*subset='train' \(250 points\) or subset='test' \(1000", load_synth, subset)


def test_terrain_is_a_map_with_north_at_the_top():
    land = load_terrain()
    height, east, north = (v.reshape(344, 403) for v in (land.y, *land.X.T))
    assert (height.min(), height.max()) == (236.0, 1076.0) and np.array_equal(height, np.round(height))
    assert (np.diff(east, axis=1) > 0).all() and (np.diff(north, axis=0) < 0).all()
    assert east[:, 0].max() == 0 == north[-1].max()
    # a cell is nearly as wide as high: 74 m by 92 m, three seconds of arc at 36.6 degrees
    assert east[0, 1] == pytest.approx(north[-2, 0] * np.cos(np.radians(36.59)), rel=0.01)


def test_without_a_library_that_brings_the_data_it_is_said_what_to_install(monkeypatch):
    for module in ("sklearn", "sklearn.datasets", "matplotlib", "matplotlib.cbook"):
        monkeypatch.setitem(sys.modules, module, None)
    refused("scikit-learn is needed for load_diabetes: pip install scikit-learn", load_diabetes, error=ImportError)
    refused("matplotlib is needed for load_terrain: pip install matplotlib", load_terrain, error=ImportError)


FIELDS = {"name": "toy", "X": [[0.0], [1.0]], "y": [0, 1], "feature_names": ("a",), "target_name": "b"}
FIELDS |= {"units": {"a": "", "b": ""}, "description": "", "origin": "", "terms": ""}


def test_datasets_that_do_not_fit_together_are_refused():
    refused(r"X has shape \(2,\).*X\[:, None\]", Dataset, **FIELDS | {"X": [0.0, 1.0]})
    refused(r"y has shape \(1,\); expected \(2,\)", Dataset, **FIELDS | {"y": [0]})
    refused(r"y has shape \(2, 1\); expected \(2,\)", Dataset, **FIELDS | {"y": [[0], [1]]})
    refused("tuple of 1 name", Dataset, **FIELDS | {"feature_names": ("a", "c")})
    refused("tuple of 1 name", Dataset, **FIELDS | {"feature_names": "a"})
    refused(r"units names \['a'\].*\['a', 'b'\]", Dataset, **FIELDS | {"units": {"a": ""}})
    refused("X must be a tuple of strings", SequenceDataset, error=TypeError, **FIELDS | {"X": "AC"})
    refused("X must be a tuple of strings", SequenceDataset, error=TypeError, **FIELDS | {"X": ("A", 1)})
    refused("X is empty", SequenceDataset, **FIELDS | {"X": (), "y": []})
    refused(r"y has shape \(2,\); expected \(1,\)", SequenceDataset, **FIELDS | {"X": ("A",)})
    refused("tuple of one name", SequenceDataset, **FIELDS | {"X": ("A", "C"), "feature_names": "a"})
    refused(r"units names \[\]", SequenceDataset, **FIELDS | {"X": ("A", "C"), "units": {}})


def test_a_dataset_copies_and_leaves_the_callers_arrays_writable():
    X, y = np.zeros((2, 1)), np.zeros(2)
    data = Dataset(**{**FIELDS, "X": X, "y": y})
    X[0] = y[0] = 1.0
    assert data.X[0, 0] == data.y[0] == 0.0


def test_readme_lists_every_shipped_file_with_its_size_and_checksum():
    listed = re.findall(r"^\| \[([^]]+)\]\(\1\) \| .* \| (\d+) \| `([0-9a-f]{64})` \|$", README, re.MULTILINE)
    found = {
        (p.name, str(p.stat().st_size), hashlib.sha256(p.read_bytes()).hexdigest())
        for p in FILES.iterdir()
        if p.name != "README.md"
    }
    assert set(listed) == found and len(listed) == len(found) == 7


def test_readme_has_a_section_with_origin_and_terms_for_every_csv():
    sections = re.split(r"^## ", README, flags=re.MULTILINE)[1:]
    for file in FILES.glob("*.csv"):
        (section,) = (s for s in sections if file.name in s.splitlines()[0])
        assert all(f"**{part}.**" in section for part in ("What", "From", "Terms as found"))


@pytest.mark.parametrize(
    "name, quote",
    [
        *((s, MASS_SAYS) for s in ("mcycle", "geyser", "synth (train)", "synth (test)")),
        ("co2", "This is public domain."),
        ("peptides", "(c) 2016 - 2025 ETH Zurich, Switzerland; Alex Müller, Gisela Gabernet, Gisbert Schneider"),
    ],
)
def test_terms_are_quoted_alike_by_loader_and_readme(name, quote):
    assert quote in LOADERS[name]().terms
    assert quote in README


def _run(code: str, path: Path) -> str:
    # -S: no site-packages; NumPy's folder and the package are the only places to import from
    code = f"import sys; sys.path[:0] = [{str(path)!r}, {str(Path(np.__file__).parents[1])!r}]\n{code}"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.not_in_wasm(reason="no processes")
def test_import_pulls_in_numpy_and_nothing_else():
    root = Path(kcourse.__file__).parents[1]
    code = (
        "import numpy.random; before = set(sys.modules)\n"
        "import kcourse.datasets as d; d.load_mcycle(), d.load_peptides(), d.make_sinc(rng=0)\n"
        "new = {m.partition('.')[0] for m in set(sys.modules) - before}\n"
        "print(sorted(new - set(sys.stdlib_module_names)))"
    )
    assert set(re.findall(r"'(\w+)'", _run(code, root))) <= {"kcourse", "numpy"}


@pytest.mark.not_in_wasm(reason="no processes")
def test_files_are_read_from_a_zip(tmp_path):
    root, archive = Path(kcourse.__file__).parent, tmp_path / "kcourse.zip"
    with zipfile.ZipFile(archive, "w") as z:
        for p in (root / "__init__.py", *(root / "base").glob("*.py"), *FOLDER.rglob("*")):
            if p.is_file() and p.suffix != ".pyc":
                z.write(p, Path("kcourse") / p.relative_to(root))
    code = (
        "import kcourse.datasets as d\n"
        "assert '.zip' in d.__file__, d.__file__\n"
        "print(d.load_mcycle(), d.load_geyser(), d.load_synth('test'), d.load_co2(), sep='\\n')\n"
        "print(d.load_peptides())"
    )
    calls = (load_mcycle, load_geyser, lambda: load_synth("test"), load_co2, load_peptides)
    assert _run(code, archive).splitlines() == [repr(call()) for call in calls]
