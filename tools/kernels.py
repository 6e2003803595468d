"""Notebook kernels for builds, tests and timings, where several start at the same time."""

from __future__ import annotations

import os
import tempfile
import uuid
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager, KernelManager

__all__ = ["KernelBesideOthers", "ThisPythonsKernel"]


_LONGEST = 70  # bytes of a folder's name, because a socket's address has room for about 100


class _SocketsInFiles:
    """Use socket files instead of TCP ports, because two kernels that start together could choose the same port."""

    def _transport_default(self) -> str:
        return "tcp" if os.name == "nt" or len(os.fsencode(tempfile.gettempdir())) > _LONGEST else "ipc"

    def _ip_default(self) -> str:
        if self.transport == "tcp":
            return "127.0.0.1"
        return str(Path(tempfile.gettempdir()) / f"kernel-{uuid.uuid4().hex[:12]}")


class KernelBesideOthers(_SocketsInFiles, KernelManager):
    """The kernel manager for nbval."""


class ThisPythonsKernel(_SocketsInFiles, AsyncKernelManager):
    """The python3 kernel of the running Python, whatever kernels the author has installed elsewhere."""

    def _kernel_spec_manager_default(self) -> KernelSpecManager:
        return KernelSpecManager(kernel_dirs=[])  # without folders, only the native kernel is found
