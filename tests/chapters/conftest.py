"""What tests of figures share."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from kcourse.lab import use_style


@pytest.fixture
def style():
    """No window, the course's style for this test alone, and no figure left open."""
    plt.switch_backend("agg")
    with plt.rc_context():
        use_style()
        yield
    plt.close("all")
