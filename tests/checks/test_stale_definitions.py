"""What is checked is what stands in the notebook, and not what an earlier cell has left behind."""

import IPython
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

RIGHT = "import numpy as np\ndef krr_fit(K, y, lam):\n    return np.linalg.solve(K + lam * np.eye(len(y)), y)\n"
CHECK = "from kcourse.checks import check\nverdict = check(krr_fit, seed=0)"


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell(config=Config(HistoryManager={"hist_file": ":memory:"}))
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    yield shell
    shell.history_manager.end_session()


def points(shell, *cells):
    """Of the answer after these cells, and what is said first."""
    for cell in (*cells, CHECK):
        shell.run_cell(cell, store_history=True)
    result = shell.user_ns["verdict"].result
    return result.points, " ".join(result.hints)


FAILED = {
    "a mistake of the pen": RIGHT.replace("y)\n", "y\n"),
    "an error above it": "x = 1 / 0\n" + RIGHT,
    "an error in its head": RIGHT.replace("lam)", "lam=unknown)"),
    "a decorator that is not there": RIGHT.replace("def", "@unknown\ndef"),
    "it never comes there": "if False:\n    " + RIGHT.replace("\n", "\n    "),
}


@pytest.mark.parametrize("cell", FAILED.values(), ids=FAILED)
def test_a_definition_that_failed_is_not_judged_by_the_one_before(shell, cell):
    earned, said = points(shell, RIGHT, cell)
    assert earned == 0 and said.startswith("The cell with `def krr_fit` that you ran last did not define it")
    assert points(shell, RIGHT)[0] == 4  # fixed


FINE = {
    "twice the same": [RIGHT, RIGHT],
    "an error below it": [RIGHT + "1 / 0"],
    "under a magic": ["%%time\n" + RIGHT],
    "with a magic above": ["%time x = 1\n" + RIGHT],
    "in a text": [RIGHT, "s = '''\ndef krr_fit(K, y, lam):\n'''"],
    "another function": [RIGHT, "def krr_fit_predict(X):\n    return 1 / 0\n1 / 0"],
    "an import": ["from numpy.linalg import solve", RIGHT],
    "decorated": [
        "import functools\n" + RIGHT.replace("def", "@functools.lru_cache(None)\ndef") + "krr_fit = krr_fit.__wrapped__"
    ],
    "a branch": ["if True:\n    " + RIGHT.replace("\n", "\n    ")],
}


@pytest.mark.parametrize("cells", FINE.values(), ids=FINE)
def test_what_is_in_the_notebook_is_judged(shell, cells):
    assert points(shell, *cells) == (4, "")
