"""Ways in which people write notebooks: what an answer is worth where it stands, it is worth here."""

from __future__ import annotations

from tests.grader.adversarial.cases import TARGET, Case, answers, body, notebook
from tests.grader.notebooks import SOLVED

_LINES = "n = len(K)\nreturn float(np.trace(np.linalg.solve(K + lam * np.eye(n), K)))"
_RIGHT = body(_LINES)


def _above(name: str, code: str, *says: str, **more: object) -> Case:
    """In the cell of the answer, before it: what fails there must not take the answer with it."""
    cells = list((SOLVED | {TARGET: f"{code}\n{_RIGHT}"}).values())
    return Case(name, notebook(name, cells), says=says, noted=more.pop("noted", bool(says)), **more)


def _later(name: str, code: str, *says: str, helper: str = "", **more: object) -> Case:
    """In a cell below all answers; ``helper`` is the answer's cell."""
    cells = [*(SOLVED | ({TARGET: helper} if helper else {})).values(), code]
    return Case(name, notebook(name, cells), says=says, noted=more.pop("noted", bool(says)), **more)


def _typed(name: str, cell: str, *says: str, **more: object) -> Case:
    """The answer's cell as it stands here."""
    cells = list((SOLVED | {TARGET: cell}).values())
    return Case(name, notebook(name, cells), says=says, noted=more.pop("noted", bool(says)), **more)


def _cells(name: str, *cells: str, says: tuple[str, ...] = (), **more: object) -> Case:
    """These cells instead of the answer's."""
    before = [source for key, source in SOLVED.items() if key != TARGET]
    return Case(name, notebook(name, [*before, *cells]), says=says, noted=more.pop("noted", bool(says)), **more)


def _answer(name: str, code: str, *says: str, **more: object) -> Case:
    return answers(name, code, *says, lost={}, **more)


_K = "K = np.array([[2.0, 1.0], [1.0, 3.0]])\nlam = 0.3"
_THEN = "after its own cell"

LIBRARIES = [
    _answer("tqdm in an answer", "from tqdm import tqdm\nn = sum(1 for _ in tqdm(range(len(K)), desc='x'))\n"
            + _LINES.partition("\n")[2]),
    _typed("trange in an answer", "from tqdm.auto import tqdm, trange\nfrom tqdm.notebook import tqdm as bar\n"
           + body("s = 0.0\nM = np.linalg.solve(K + lam * np.eye(len(K)), K)\n"
                  "for i in trange(len(K), leave=False):\n    s += M[i, i]\n"
                  "with tqdm(total=3) as b:\n    b.update(1)\n    b.set_postfix(x=1)\ntqdm.write('x')\n"
                  "return float(s)")),
    _above("interact", "from ipywidgets import interact, FloatSlider\nimport ipywidgets as widgets\n"
           "@interact(lam=(0.0, 1.0))\ndef plot(lam):\n    print(lam)\n"
           "interact(plot, lam=FloatSlider(value=1))\nwith widgets.Output():\n    pass"),
    _above("scikit-learn for comparison", "from sklearn.kernel_ridge import KernelRidge\n"
           "theirs = KernelRidge(alpha=1.0)\ntheirs.fit(np.eye(2), np.ones(2))\nprint(theirs.dual_coef_)\n"
           "print(theirs.dual_coef_ - np.ones(2))", "costs no points", review=False),
    _above("points before the definition", "from kcourse.checks import run\n"
           "print(run('krr_fit', krr_fit).points, f\"{run('krr_fit', krr_fit).points:.1f}\")"),
    _above("points that are asserted", "from kcourse.checks import run\nassert run('krr_fit', krr_fit).points == 4",
           "AssertionError"),
    _above("pandas for printing", "import pandas as pd\ntable = pd.DataFrame({'x': [1]})\ntable['y'] = 2\n"
           "print(table.head())\ndisplay(table)\nfor row in table.itertuples():\n    print(f'{row.x:.3f}')"),
    _typed("pandas in an answer", "import pandas as pd\n" + body("print(pd.DataFrame(K).round(2))\n" + _LINES)),
    _typed("numba if there is one", "try:\n    from numba import njit\nexcept ImportError:\n    njit = lambda f: f\n"
           "@njit\n" + _RIGHT),
    _typed("a decorator that is not here", "import numba\n@numba.njit(cache=True)\n" + _RIGHT, "ModuleNotFoundError"),
    _above("IPython", "from IPython import get_ipython\nfrom IPython.display import display, HTML, clear_output\n"
           "get_ipython().run_line_magic('matplotlib', 'inline')\ndisplay(HTML('<b>x</b>'))\nclear_output(wait=True)"),
    _above("a style that is not here", "import matplotlib.pyplot as plt\nplt.style.use('seaborn-v0_8')\n"
           "plt.rcParams['figure.figsize'] = 4, 3\nimport seaborn as sns\nsns.set_theme()", "ModuleNotFoundError"),
]  # fmt: skip

MAGICS = [
    _above("top-level await", "import asyncio\nasync def one():\n    await asyncio.sleep(0.01)\n    return 1\n"
           "x = await one()\nassert x == 1\ny = [await one() for _ in range(2)]\nawait asyncio.gather(one(), one())"),
    _cells("awaited in the next cell", "import asyncio\nasync def one():\n    await asyncio.sleep(0)\n    return 1\n"
           "async def begin():\n    return asyncio.ensure_future(one())\ntask = await begin()",
           "unit = await task\n" + body(_LINES.replace("return ", "return unit * "))),
    _cells("written to a file and imported", f"%%writefile mine.py\nimport numpy as np\n{_RIGHT}",
           "from mine import effective_df"),
    _cells("written in two parts", "%%writefile mine.py\nimport numpy as np\n", f"%%writefile -a mine.py\n{_RIGHT}",
           "import mine\neffective_df = mine.effective_df"),
    _cells("written and run", f"%%file mine.py\n{_RIGHT}", "%run mine.py"),
    _typed("measured line by line", f"{_K}\n%timeit -n 10 -r 3 np.linalg.inv(K)\n%time trace = np.trace\n"
           + _RIGHT.replace("np.trace", "trace")),
    _typed("measured cell", "%%timeit -n 1\n" + _RIGHT),
    _typed("captured", "%%capture out\n" + _RIGHT),
]  # fmt: skip

NAMES = [
    _later("a helper's name again", "def helper(K, lam):\n    return 'something else'", _THEN,
           helper="def helper(K, lam):\n    return K + lam * np.eye(len(K))\n"
           + body("return float(np.trace(np.linalg.solve(helper(K, lam), K)))")),
    _later("np overwritten", "np = 3\nlam = 2", _THEN),
    _later("builtins overwritten", "sum = 0\nlist = [1, 2]\nlen = 5\nfloat = 1.5", _THEN),
    _later("a constant again", "EPS = 1e3", _THEN, helper="EPS = 0\n" + body(_LINES.replace("lam *", "(lam + EPS) *"))),
    _later("everything deleted", "%reset -f\nfor name in [n for n in globals() if not n.startswith('_')]:\n"
           "    del globals()[name]", _THEN),
    _later("the answer overwritten by its value", f"{_K}\neffective_df = effective_df(K, lam)", _THEN),
    _later("the answer deleted", "del effective_df", _THEN),
    _later("a decorated helper again", "def helper(K):\n    return 0", _THEN,
           helper="import functools\ndef loud(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a)\n"
           "    return g\n@loud\ndef helper(K):\n    return len(K)\n@loud\n"
           + body(_LINES.replace("len(K)", "helper(K)"))),
    _later("a helper of a class again", "def helper(K):\n    return 0", _THEN,
           helper="def helper(K):\n    return len(K)\nclass Df:\n    def __call__(self, K, lam):\n"
           "        n = helper(K)\n        return float(np.trace(np.linalg.solve(K + lam * np.eye(n), K)))\n"
           "effective_df = Df()"),
    _later("names used again, but no answer's", f"{_K}\nX = 1\nX = 2\ni = j = None\nfig = ax = y = 7"),
    _above("a name that is not there", "print(not_defined)\nx = 1 / 0\n{}['x']", "NameError"),
    _above("ends the program", "import sys\nprint('stop here')\nsys.exit('for today')",
           "ends the program at `sys\\.exit\\('for today'\\)`"),
    _above("an answer asked for", "name = input('your name? ')\nprint(name.upper())", noted=None),
    _cells("a helper below", body("return helper(K, lam)"),
           "def helper(K, lam):\n    return float(np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K)))"),
    _cells("example above the answer", f"{_K}\nvalue = effective_df(K, lam)\nprint(value + 1)", _RIGHT),
    Case("the answers first", notebook("the answers first", [*list(SOLVED.values())[::-1]]), noted=None),
]  # fmt: skip

WAYS = [
    _cells("annotations of the future, a cell before", "from __future__ import annotations",
           _RIGHT.replace("(K, lam)", "(K: Undefined, lam) -> Undefined", 1)),
    _typed("a partial", "from functools import partial\ndef general(K, lam, power):\n"
           "    return float(np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))) ** power\n"
           "effective_df = partial(general, power=1)"),
    _typed("a method", "class Model:\n    def df(self, K, lam):\n"
           "        return float(np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K)))\neffective_df = Model().df"),
    _typed("a conditional definition", "if True:\n" + "".join(f"    {line}\n" for line in _RIGHT.splitlines())
           + "else:\n    effective_df = None"),
]  # fmt: skip

_DATACLASS = ("from dataclasses import dataclass\n@dataclass\nclass Model:\n    lam: float\n    def df(self, K):\n"
              "        return float(np.trace(np.linalg.solve(K + self.lam * np.eye(len(K)), K)))\n")  # fmt: skip
MORE = [
    _typed("a dataclass", _DATACLASS + body("return Model(lam).df(K)")),
    _typed("a Greek argument", _RIGHT.replace("lam", "λ")),
    _typed("arguments by place alone", _RIGHT.replace("(K, lam)", "(K, lam, /)", 1)),
    _typed("all arguments in one", _RIGHT.replace("(K, lam):", "(*both):\n    K, lam = both", 1)),
    _typed("typed as a text", f"exec({_RIGHT!r})"),
    _typed("pasted with IPython's prompts", "In [3]: " + _RIGHT.strip().replace("\n", "\n   ...: ")),
    _typed("a cache on the disk", "from joblib import Memory\nmemory = Memory('.')\n@memory.cache\n" + _RIGHT),
    _typed("a cache that is not here", "from diskcache import Cache\nmemory = Cache('.')\n@memory.memoize()\n" + _RIGHT,
           "ModuleNotFoundError"),
    _typed("annotations that are not here", "from jaxtyping import Float, Array\n"
           + _RIGHT.replace("(K, lam)", "(K: Float[Array, 'n n'], lam: float)", 1), "ModuleNotFoundError"),
    _typed("magics around it", f"%load_ext autoreload\n\n{_RIGHT}\n%timeit effective_df(np.eye(3), 1)\neffective_df?"),
    _above("sliders that are read", "import ipywidgets as w\ns = w.FloatSlider(min=0)\n"
           "s.observe(print, names='value')\ndisplay(w.HBox([s, w.interactive_output(print, {'x': s})]))\n"
           "y = 2 * s.value", "TypeError"),
    _above("the last outputs", "_ + 1\nOut[3]\nIn[1]", "NameError"),
    _above("a loop of awaits", "async def count():\n    for i in range(3):\n        yield i\nasync for i in count():\n"
           "    print(i)\nx = [i async for i in count()]"),
    _above("too deep, too large", "def f(n):\n    return f(n + 1)\nf(0)\nx = np.ones(10**10)", "RecursionError"),
    _above("a type of scikit-learn's", "from sklearn.base import BaseEstimator\nclass Mine(BaseEstimator):\n    pass",
           "failed with"),
    _later("a helper in a list again", "helpers = [None]", _THEN,
           helper="helpers = [len]\n" + body(_LINES.replace("len(K)", "helpers[0](K)"))),
    _cells("text in a cell of code", _RIGHT, "This is my answer, which I forgot to call text.", says=("SyntaxError",)),
]  # fmt: skip
