"""Kernels of builds and tests: many may start together, and nothing of them is left."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.timeouts import scaled
from tools.kernels import KernelBesideOthers, ThisPythonsKernel


@pytest.mark.skipif(os.name == "nt", reason="Windows has no sockets in files")
def test_each_kernel_has_sockets_of_its_own_and_takes_them_along(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    kernels = [KernelBesideOthers(), KernelBesideOthers(), ThisPythonsKernel()]
    assert len({kernel.ip for kernel in kernels}) == 3 and {kernel.transport for kernel in kernels} == {"ipc"}
    kernel = KernelBesideOthers()
    kernel.start_kernel(extra_arguments=["--log-level=ERROR"])
    client = kernel.client()
    client.start_channels()
    client.wait_for_ready(timeout=scaled(60))
    sockets = list(Path(kernel.ip).parent.glob(Path(kernel.ip).name + "-*"))
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
    assert len(sockets) == 5 and not any(path.exists() for path in sockets)
