"""Those who call a wrong answer of their own, for which the grader has right ones, and those who would ask for more."""

from __future__ import annotations

from tests.grader.adversarial.cases import Case, body, notebook
from tests.grader.adversarial.misbehaving import ENDED, WRITES
from tests.grader.notebooks import SOLVED

_WRONG = body("return np.linalg.solve(K, y)", "krr_fit")
_LINES = "kernel = Gaussian(sigma)\nalpha = krr_fit(kernel(X), y, lam)\nreturn kernel(Xq, X) @ alpha"
EARNS = "krr_fit is still wrong .3.1.; with a right one in its place this function earns 4 of 4"


def _calls(name: str, code: str, *says: str, points: float, wrong: str = _WRONG, **more: object) -> Case:
    """Somebody whose krr_fit is wrong, and whose krr_fit_predict has these lines and earns these points."""
    cells = SOLVED | {"krr_fit": wrong, "krr_fit_predict": body(code, "krr_fit_predict")} | more.pop("changed", {})
    lost = {"krr_fit": 0, "krr_fit_predict": points} | more.pop("lost", {})
    return Case(name, notebook(name, list(cells.values())), lost, says, **more)


def _asks(what: str, args: str = "[2.0, 1.0]") -> str:
    return (f"{WRITES}frame({{'begin': 'call', 'i': 0}})\n"
            f"frame({{'ask': '{what}', 'token': '00' * 8, 'args': {args}}})\nreturn Xq[:, 0]")  # fmt: skip


FOLLOWED = [
    _calls("asks: a wrong answer is called", _LINES, EARNS, points=4),
    _calls("asks: through helpers", "return np.array([last(x, X, y, sigma, lam) for x in Xq])", EARNS, points=4,
           wrong=_WRONG + "def middle(*a): return krr_fit(*a)\n"
           "def last(x, X, y, sigma, lam):\n    k = Gaussian(sigma)\n"
           "    return float((k(x[None, :], X) @ middle(k(X), y, lam))[0])\n"),
    _calls("asks: through a class", "return Model(sigma, lam).fit(X, y).predict(Xq)", EARNS, points=4,
           wrong=_WRONG + "class Model:\n    def __init__(self, sigma, lam): self.k, self.lam = Gaussian(sigma), lam\n"
           "    def fit(self, X, y):\n        self.X, self.a = X, krr_fit(self.k(X), y, self.lam)\n"
           "        return self\n    def predict(self, Z): return self.k(Z, self.X) @ self.a\n"),
    _calls("asks: for many right sides", _LINES, EARNS, points=4, changed={
           "effective_df": body("return np.trace(K @ krr_fit(K, np.eye(len(K)), lam))")}),
    _calls("asks: for a matrix without columns", f"try: krr_fit(np.zeros((24_000, 0)), np.zeros(0), 1.0)\n"
           f"except Exception: pass\n{_LINES}", EARNS, points=4, review=True),
    _calls("asks: by keywords", _LINES.replace("kernel(X), y, lam", "K=kernel(X), lam=lam, y=list(y)"), EARNS,
           points=4),
    _calls("asks: as it was handed out", _LINES, "krr_fit is not written yet .3.1.; with a right one", points=4,
           wrong=body("raise NotImplementedError", "krr_fit")),
    _calls("asks: not at all", "return Xq[:, 0]", points=0),
    _calls("asks: and is wrong itself", _LINES.replace("@ alpha", "@ alpha * 2"),
           "krr_fit is still wrong .3.1.; with a right one in its place this function still earns 1 of 4", points=1),
    _calls("asks: with other arguments", _LINES.replace("y, lam)", "y)"), "raised TypeError", points=0),
    _calls("asks: with nonsense", _LINES.replace("kernel(X)", "'K'"), "raised (UFuncTypeError|LinAlgError|ValueError)",
           points=0, review=True),
    _calls("asks: with infinities", _LINES.replace("kernel(X)", "kernel(X) * np.inf"), points=0, review=True),
    _calls("asks: with a large matrix", _LINES.replace("kernel(X)", "np.eye(300)"), "raised (ValueError|FrameError)",
           points=0, review=True),
    _calls("asks: thousands of times", f"for _ in range(10_000): krr_fit(np.eye(2), np.ones(2), 0.5)\n{_LINES}",
           r"You solve Kα = y, where λ is missing, so f follows the noise\. Solve \(K \+ λI\)α = y\.",
           points=1, review=None),
]  # fmt: skip

GREEDY = [
    _calls("asks: for what is still open", f"krr_fit(np.eye(2), np.ones(2), 0.5)\n{_asks('krr_tune')}", f"{ENDED}|same",
           points=0, noted=None),
    _calls("asks: for itself", f"krr_fit(np.eye(2), np.ones(2), 0.5)\n{_asks('krr_fit_predict')}", f"{ENDED}|same",
           points=0, noted=None),
    _calls("asks: before its turn", _asks("krr_fit"), points=0, noted=None, review=None),
    _calls("asks: and does not listen", f"{WRITES}for _ in range(20_000):\n"
           "  frame({'ask': 'krr_fit', 'token': '00' * 8, 'args': [[[1.0]], [1.0], 1.0]})\n" + _LINES,
           points=0, noted=None, review=None),
]  # fmt: skip

ASKING = FOLLOWED + GREEDY
