"""An answer is worth the same in the notebook and where it is graded, whatever kinds of things it returns and uses.

Each way of answering has an exercise of its own, so that all of them are one notebook of the grader's.
"""

from __future__ import annotations

import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

from kcourse import checks
from kcourse.checks.spec import Exercise, Misconception, Property
from kcourse_grader.marking.grade import grade_submission
from tests.grader import notebooks, tiny
from tests.grader.adversarial.graded import LONG, SEED, same_inputs, waiting
from tests.grader.tiny import tiny_sheet  # noqa: F401 (its folder of modules)
from tests.timeouts import scaled

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
SHEET = "ch97_odd"


def _joined(value, *_):
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    return np.append(np.asarray(value[0], dtype=float), float(value[1]))


def _like(name: str, reference, **more: object) -> Exercise:
    return replace(
        tiny.SHIFTED, name=name, chapter=SHEET, reference=reference, observations=(), misconceptions=(
            Misconception("no c", lambda v, c: reference(v, 0.0), "You forgot c.", "Read again.", "print(1)"),
        ),
        properties=(
            Property("answers", 3, tiny._vectors),
            Property("answers for three", 1, lambda r: [(r.normal(size=3), 2.5)]),
        ), **more,
    )  # fmt: skip


KINDS = {
    "vector": _like("vector", tiny.shifted),
    "number": _like("number", tiny.total, returns="one number"),
    "matrix": _like("matrix", lambda v, c: np.outer(v, v) + c, returns="a matrix, shape (n, n)"),
    "ends": _like("ends", lambda v, c: np.array([v.min(), v.max() + c]), returns="two", parts=("least", "largest")),
    "pair": _like("pair", lambda v, c: np.append(v + c, v.sum() + c), view=_joined, returns="two things",
                  gives=lambda joined: (joined[:-1], float(joined[-1]))),
}  # fmt: skip

ARRAY = """
    class Mine:
        def __array__(self, dtype=None, copy=None):
            return v + c
    return Mine()
"""
RIGHT = [  # kind and body; {} stands for its value where there is one
    ("vector", "return (v + c).astype(complex)"),
    ("vector", "return list((v + c) + 0j)"),
    ("vector", "return v + c + 1e-15j"),
    ("number", "return complex(np.sum(v + c))"),
    ("matrix", "import scipy.linalg\nlam, V = scipy.linalg.eig(np.outer(v, v) + c)\nreturn V @ np.diag(lam) @ "
               "np.linalg.inv(V)"),
    ("ends", "return complex(v.min()), complex(v.max() + c)"),
    ("pair", "return (v + c).astype(complex), complex(v.sum() + c)"),
    ("matrix", "return np.asmatrix(np.outer(v, v) + c)"),
    ("vector", "return np.ma.array(v + c)"),
    ("vector", "import pandas as pd\nreturn pd.Series(v) + c"),
    ("matrix", "import pandas as pd\nreturn pd.DataFrame(np.outer(v, v)) + c"),
    ("pair", "import pandas as pd\nreturn pd.Series(v + c), pd.Series(v).sum() + c"),
    ("ends", "import pandas as pd\ns = pd.Series(v)\nreturn [s[s.idxmin()], s[s.idxmax()] + c]"),
    ("matrix", "import pandas as pd\nreturn [pd.Series(row) for row in np.outer(v, v) + c]"),
    ("vector", "return memoryview(v + c)"),
    ("vector", "import array\nreturn array.array('d', v + c)"),
    ("pair", "import array\nreturn [array.array('d', v + c), np.array(v.sum() + c)]"),
    ("vector", ARRAY),
    ("vector", "from collections import deque\nreturn deque(v + c)"),
    ("vector", "from fractions import Fraction\nreturn [Fraction(float(x)) for x in v + c]"),
    ("vector", "from decimal import Decimal\nreturn [Decimal(float(x)) for x in v + c]"),
    ("vector", "return (v + c).astype(object)"),
    ("vector", "return (v + c).astype(np.longdouble)"),
    ("vector", "return (v + c).astype('>f8')"),
    ("number", "class Own(float):\n    pass\nreturn Own(np.sum(v + c))"),
    ("ends", "from collections import namedtuple\nreturn namedtuple('Ends', 'a b')(v.min(), v.max() + c)"),
    ("vector", "class Own(list):\n    pass\nreturn Own(v + c)"),
    ("number", "return [[np.sum(v + c)]]"),
    ("vector", "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n"
               "    return list(pool.map(lambda x: x + c, v))"),
    ("vector", "from concurrent.futures import ProcessPoolExecutor\nimport operator\n"
               "with ProcessPoolExecutor(2) as pool:\n    return list(pool.map(operator.add, v, [c] * len(v)))"),
    ("vector", "import concurrent.futures, operator\nwith concurrent.futures.ProcessPoolExecutor() as pool:\n"
               "    todo = [pool.submit(operator.add, x, c) for x in v]\n    concurrent.futures.wait(todo)\n"
               "return [t.result() for t in todo]"),
    ("vector", "from multiprocessing import Pool\nimport operator\nwith Pool(2) as pool:\n"
               "    return pool.starmap(operator.add, [(x, c) for x in v])"),
    ("vector", "import multiprocessing as mp, functools, operator\nadd = functools.partial(operator.add, c)\n"
               "pool = mp.get_context('fork').Pool(2)\nfound = pool.map(add, v), list(pool.imap(add, v))\n"
               "later = [pool.apply_async(add, (x,)) for x in v]\nassert found[0] == [t.get() for t in later]\n"
               "pool.close()\npool.join()\nreturn found[1]"),
    ("vector", "from multiprocessing.pool import ThreadPool\nwith ThreadPool(2) as pool:\n"
               "    return pool.map(lambda x: x + c, v)"),
    ("vector", "from joblib import Parallel, delayed\nimport operator\n"
               "return Parallel(n_jobs=2)(delayed(operator.add)(x, c) for x in v)"),
    ("number", "from scipy.optimize import brute, rosen\n"
               "at = brute(rosen, [(0, 2)] * 2, Ns=3, finish=None, workers=2)\nreturn np.sum(v + c) + at[0] - 1"),
]  # fmt: skip
WRONG = [
    ("vector", "return v + c + 1j"),
    ("pair", "return v + c + 1j, v.sum() + c"),
    ("vector", "return np.asmatrix(v + c)"),
    ("vector", "return np.ma.array(v + c, mask=v > v.mean())"),
    ("vector", "import pandas as pd\nreturn pd.Series(v)"),
    ("vector", "import pandas as pd\nreturn pd.Series(['a'] * len(v))"),
    ("matrix", "import pandas as pd\nreturn pd.DataFrame({'x': v, 'y': v})"),
    ("vector", "import pandas as pd\nreturn {'x': pd.Series(v)}"),
    ("vector", "return np.array([None] * len(v))"),
    ("vector", "return np.array([str(x) for x in v])"),
    ("vector", "return [None, *v[1:]]"),
    ("vector", "return [1.0] * 60_000"),
    ("vector", "value = [1.0]\nfor _ in range(30):\n    value = [value]\nreturn value"),
    ("vector", "return [10**5000] * len(v)"),
    ("vector", "return (x + c for x in v)"),
    ("vector", "return set(v + c)"),
    ("vector", "return np.sum"),
    ("vector", "return [v, [1.0]]"),
    ("ends", "return {'least': v.min(), 'largest': v.max()}"),
    ("vector", ARRAY.replace("return v + c", "raise SystemExit")),
    ("vector", ARRAY.replace("v + c", "'text'")),
    ("vector", "from multiprocessing import Pool\nwith Pool(2) as pool:\n    return pool.map(float, v)"),
    ("number", "return np.sum(v + c) * np.nan * 1j"),
]  # fmt: skip


def _exercises() -> tuple[tuple[Exercise, ...], list[str]]:
    specs, cells = [], ["import numpy as np\n"]
    for right, rows in ((True, RIGHT), (False, WRONG)):
        for i, (kind, body) in enumerate(rows):
            name = f"{'right' if right else 'wrong'}_{i}_{kind}"
            specs.append(replace(KINDS[kind], name=name, number=f"97.{i}"))
            cells.append(f"def {name}(v, c):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n")
    return tuple(specs), cells


EXERCISES, CELLS = _exercises()


@pytest.fixture(scope="module")
def verdicts(one_sandbox, tiny_sheet):  # noqa: F811
    """Of every answer: what the notebook says, and what the grader."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, f"kcourse.chapters.{SHEET}.marks", sys.modules[__name__])
        for module in [module for name, module in sys.modules.items() if name.startswith("kcourse.")]:
            if tiny.SHEET in (vars(module).get("CHAPTERS") or ()):
                patch.setattr(module, "CHAPTERS", (*vars(module)["CHAPTERS"], SHEET))
        with same_inputs(), waiting(one_sandbox, replace(LONG, calls=scaled(60))):
            grade = grade_submission(notebooks.submission(CELLS, "odd", SHEET), one_sandbox, SEED)
        assert grade.status == "graded", grade.review
        names: dict = {}
        for cell in CELLS:
            exec(cell, names)
        yield {r["name"]: (checks.run(r["name"], names[r["name"]], SEED), r) for r in grade.results}


@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_answer_is_worth_the_same_here_and_there(kind, verdicts):
    faults = []
    for spec in (spec for spec in EXERCISES if spec.name.endswith(f"_{kind}")):
        here, there = verdicts[spec.name]
        one = (here.status, here.points, here.misconception, [*here.hints[:1]], [*here.remarks])
        other = (there["status"], there["points"], there["misconception"], [*there["hints"][:1]], [*there["remarks"]])
        expected = here.status == "passed" if spec.name.startswith("right") else here.points < spec.points
        if one != other or not expected:
            faults.append((spec.name, one, other))
    assert faults == []
