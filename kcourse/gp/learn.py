"""Maximisation of the marginal likelihood over the log hyper-parameters, with L-BFGS-B."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from kcourse.base.validation import check_number, check_positive, check_rng
from kcourse.gp.evidence import Hyper, log_evidence
from kcourse.kernels import Kernel

__all__ = ["maximize_evidence"]

_DECADES = 5  # a hyper-parameter without bounds may move so many powers of ten from its start
_NEAR = np.log(100.0)  # largest distance of a restart from the first start, in log hyper-parameters
_FLAT = 1e-3  # slopes up to this count as 0, in nats per factor of e
_STEEP = 1.0  # a larger slope is no maximum, whatever the optimiser says: it may have met a singular K + σ_n²I


def maximize_evidence(
    hyper: Hyper,
    X: np.ndarray,
    y: np.ndarray,
    *,
    fixed: Any = (),
    bounds: Any = None,
    n_restarts: Any = 0,
    rng: Any = 0,
) -> Hyper:
    """Return the kernel and noise variance with the largest log p(y) found; see `GaussianProcess`.

    >>> from kcourse.kernels import Gaussian
    >>> x = np.linspace(0, 6, 20)[:, None]
    >>> maximize_evidence(Hyper(Gaussian(1.0), 0.01), x, np.sin(x[:, 0]), fixed=("noise_variance",)).noise
    0.01
    """
    from scipy.optimize import minimize  # imported here, because only this function needs it

    n_restarts, rng = check_number(n_restarts, "n_restarts", at_least=0, integer=True), check_rng(rng)
    free, (low, high) = free_entries(hyper, fixed), box(hyper, bounds)
    objective = negative_evidence(hyper, X, y, free)
    first = hyper.theta
    nearby = np.maximum(low, first - _NEAR), np.minimum(high, first + _NEAR)
    starts = [first, *(rng.uniform(*nearby) for _ in range(n_restarts))]
    limits = np.column_stack([low, high])[free]
    options = {"ftol": 1e-10}  # gives about six correct digits from any start
    runs = [minimize(objective, s[free], jac=True, method="L-BFGS-B", bounds=limits, options=options) for s in starts]
    best = min(runs, key=lambda run: run.fun)
    tell_early_stop(best, limits)
    tell_bounds(best, limits, [name for name, is_free in zip(hyper.names, free, strict=True) if is_free])
    return moved(hyper, best.x, free)


def negative_evidence(hyper: Hyper, X: np.ndarray, y: np.ndarray, free: np.ndarray) -> Any:
    """Return the objective to minimise, a function of the free part of θ: (-log p(y), its gradient)."""
    theta, work = hyper.theta, np.empty((len(X), len(X)))
    seen: list[float] = []

    def objective(part: np.ndarray) -> tuple[float, np.ndarray]:
        theta[free] = part
        try:
            with np.errstate(all="ignore"):  # the factorisation reports an overflow
                value, gradient = log_evidence(hyper.at(theta), X, y, work=work)
        except ValueError:  # K + σ_n²I is not positive definite in floating point: return a value worse than all seen
            if not seen:
                raise
            return max(seen) + 1, np.zeros(len(part))
        seen.append(-value)
        return -value, -gradient[free]

    return objective


def moved(hyper: Hyper, part: np.ndarray, free: np.ndarray) -> Hyper:
    """Return ``hyper`` with its free entries set to exp(``part``); the others keep their exact values."""
    theta = hyper.theta
    theta[free] = part
    new = hyper.at(theta)
    bases = np.array([name.partition("[")[0] for name in hyper.names])
    held = set(bases[~free].tolist()) - set(bases[free].tolist())
    kernel, noise = new.kernel, new.noise
    if "noise_variance" in held:
        noise = hyper.noise
    of_kernel = held - {"noise_variance"}
    if of_kernel and isinstance(kernel, Kernel) and isinstance(hyper.kernel, Kernel):
        params = hyper.kernel.get_params()
        kernel = kernel.with_params(**{name: params[name] for name in of_kernel})
    return Hyper(kernel, noise)


def entries(hyper: Hyper, name: Any, argument: str) -> list[int]:
    """Return the indices of ``name`` in θ; "sigma" means all of "sigma[0]", "sigma[1]", …"""
    found = [i for i, known in enumerate(hyper.names) if name in (known, known.partition("[")[0])]
    if not found and not (name == "noise_variance" and hyper.noise == 0):
        raise ValueError(
            f"{argument} names {name!r}; the names that can be learned: {', '.join(hyper.names) or 'none'}."
        )
    return found


def free_entries(hyper: Hyper, fixed: Any) -> np.ndarray:
    """Return a mask of the entries of θ that are learned."""
    if isinstance(fixed, str):
        raise TypeError(f"fixed must be a tuple of names, got the string {fixed!r}; write fixed=({fixed!r},).")
    free = np.ones(len(hyper.names), dtype=bool)
    for name in fixed:
        free[entries(hyper, name, "fixed")] = False
    if not free.any():
        raise ValueError(
            "optimize=True, but nothing is left to learn: every hyper-parameter is fixed, is 0 or has no name "
            "(those of a plain function have no names). Set optimize=False, or remove a name from fixed."
        )
    return free


def box(hyper: Hyper, bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of the smallest and the largest value of each hyper-parameter."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise TypeError(f"bounds must be a dict such as {{'sigma': (0.1, 10.0)}}, got {bounds!r}.")
    low, high = hyper.theta - _DECADES * np.log(10), hyper.theta + _DECADES * np.log(10)
    for name, pair in (bounds or {}).items():
        which = entries(hyper, name, "bounds")
        if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2:
            raise ValueError(f"bounds[{name!r}] must be a pair (low, high), got {pair!r}.")
        least, most = (check_positive(value, f"bounds[{name!r}][{i}]") for i, value in enumerate(pair))
        values = np.exp(hyper.theta[which])
        rounding = 1e-12
        if not least < most or np.any(values < least * (1 - rounding)) or np.any(values > most * (1 + rounding)):
            raise ValueError(
                f"bounds[{name!r}] = ({least:g}, {most:g}) must enclose the start of the search, "
                f"{', '.join(f'{value:g}' for value in values)}; change the bounds or the start, or name it in fixed."
            )
        low[which], high[which] = np.log(least), np.log(most)
    return low, high


def tell_early_stop(run: Any, limits: np.ndarray) -> None:
    """Warn if the optimiser stopped where log p(y) still rises."""
    # a slope that leads out of the box is not a failure
    slope = np.where(run.x <= limits[:, 0], np.minimum(run.jac, 0), run.jac)
    slope = np.abs(np.where(run.x >= limits[:, 1], np.maximum(slope, 0), slope)).max()
    if slope > (_STEEP if run.success else _FLAT):
        warnings.warn(
            f"optimize stopped early ({run.message.strip(': ')}): log p(y) = {-run.fun:.6g} still changes by "
            f"{slope:.2g} for a factor of e. Try n_restarts, another start or narrower bounds.",
            stacklevel=4,
        )


def tell_bounds(run: Any, limits: np.ndarray, names: list[str]) -> None:
    """Warn about hyper-parameters that ended at a bound, with the slope of log p(y) there."""
    at_bound = (run.x <= limits[:, 0] + 1e-9) | (run.x >= limits[:, 1] - 1e-9)
    found = [f"{names[i]} = {np.exp(run.x[i]):.3g} (slope {abs(run.jac[i]):.1g})" for i in np.flatnonzero(at_bound)]
    if found:
        warnings.warn(
            f"optimize ended at a bound: {', '.join(found)}. If the slope of log p(y) is about 0, values beyond the "
            "bound are as good. Otherwise widen bounds, or name the hyper-parameter in fixed to keep it.",
            stacklevel=4,
        )
