"""Support for scikit-learn's metadata routing: which method takes which data in addition to X and y.

scikit-learn is imported only inside the method that scikit-learn itself calls.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["Routed"]

_METHODS = ("fit", "partial_fit", "predict", "decision_function", "score", "transform")
_OF_THE_POINTS = {"self", "X", "y"}


def _metadata(owner: type, method: str) -> list[str]:
    """Return the arguments of a method in addition to points and targets, such as ``sample_weight``."""
    function = getattr(owner, method, None)
    taken = inspect.signature(function).parameters if inspect.isfunction(function) else ()
    return [name for name in taken if name not in _OF_THE_POINTS]


class Routed:
    """Mixin for metadata routing: adds methods such as ``set_fit_request`` and remembers what was requested.

    A subclass whose ``score`` takes ``sample_weight`` gets ``set_score_request(sample_weight=True)``, for example.
    """

    _metadata_request: Any  # the name that scikit-learn's clone copies

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for method in _METHODS:
            if names := _metadata(cls, method):
                setattr(cls, f"set_{method}_request", _request(method, names))

    def get_metadata_routing(self) -> Any:
        """Return the metadata that each method requests, a ``sklearn.utils.metadata_routing.MetadataRequest``."""
        from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object

        if hasattr(self, "_metadata_request"):
            return get_routing_for_object(self._metadata_request)  # a copy
        requests = MetadataRequest(owner=type(self).__name__)
        for method in _METHODS:
            for name in _metadata(type(self), method):
                getattr(requests, method).add_request(param=name, alias=None)
        return requests


def _request(method: str, names: list[str]) -> Callable[..., Any]:
    def set_request(self: Routed, **asked: bool | str | None) -> Routed:
        config = getattr(sys.modules.get("sklearn"), "get_config", dict)()
        if not config.get("enable_metadata_routing"):
            raise RuntimeError(
                f"set_{method}_request requires metadata routing: first call sklearn.set_config("
                "enable_metadata_routing=True)."
            )
        if unknown := sorted(set(asked) - set(names)):
            raise TypeError(f"{method} of {type(self).__name__} takes no {', '.join(unknown)}; it takes {names}.")
        requests = self.get_metadata_routing()
        for name, alias in asked.items():
            getattr(requests, method).add_request(param=name, alias=alias)
        self._metadata_request = requests
        return self

    set_request.__name__, set_request.__qualname__ = f"set_{method}_request", f"Routed.set_{method}_request"
    set_request.__doc__ = (
        f"Choose whether a meta-estimator passes {', '.join(names)} to ``{method}``: True, False, None (an error "
        "if it is given), or the name that the caller uses for it; returns self."
    )
    return set_request
