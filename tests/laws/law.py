"""A law: a property that is tried on as many drawn examples; and what several laws draw."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse.kernels import Constant, Gaussian, Laplacian, Linear, Matern, Polynomial
from tests.conftest import examples

__all__ = ["QUERIES", "D", "close", "data", "kernels", "lams", "laws", "sixteenths"]

D = 2
QUERIES = np.array([[0.0, 0.0], [1.5, -2.0], [-0.3, 0.7], [9.0, 9.0]])
sixteenths = st.integers(-48, 48).map(lambda i: i / 16)
lams = st.floats(-2.0, 2.0).map(lambda e: 10.0**e)
kernels = st.one_of(
    st.builds(Gaussian, st.floats(0.2, 5.0)),
    st.builds(Laplacian, st.floats(0.2, 5.0)),
    st.builds(Matern, st.sampled_from([1.5, 2.5]), st.floats(0.2, 5.0)),
    st.builds(Linear),
    st.builds(Polynomial, gamma=st.floats(0.1, 1.0), coef0=st.floats(0.0, 1.0), degree=st.integers(1, 3)),
    st.builds(lambda s, c: Gaussian(s) + Constant(c), st.floats(0.2, 5.0), st.floats(0.0, 2.0)),
)


def laws(count: int) -> Callable:
    """``given`` with as many examples."""
    return lambda *drawn, **named: lambda test: examples(count)(given(*drawn, **named)(test))


@st.composite
def data(draw, n_min=1, n_max=9, targets=1):
    """X (n, 2) with repeated points now and then, and ``targets`` vectors y (n,)."""
    n = draw(st.integers(n_min, n_max))
    X = draw(arrays(float, (n, D), elements=sixteenths))
    return X, *(draw(arrays(float, n, elements=sixteenths)) for _ in range(targets))


def close(a, b, rtol=1e-9):
    np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * max(1.0, np.max(np.abs(b), initial=0.0)))
