"""Send values into and out of the sandbox: JSON for structure, ``.npy`` for arrays, never pickle.

A frame is ``length of JSON | length of arrays | JSON | arrays``. Frames from the sandbox come from untrusted code, so
reading them allocates no more memory than allowed, builds only numbers, strings, lists and arrays of numbers, and
raises `FrameError` for anything else.
"""

from __future__ import annotations

import io
import json
import math
import os
import select
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = [
    "MAX_FRAME",
    "MAX_TEXT",
    "Channel",
    "Foreign",
    "FrameError",
    "HungUp",
    "decode",
    "encode",
    "pack",
    "plain",
    "unpack",
    "whole",
]

MAX_FRAME = 32_000_000  # bytes
MAX_TEXT = 4_000_000  # bytes of JSON from the sandbox: a few bytes may become a large object
_HEAD = struct.Struct("!QQ")
HEAD_SIZE = _HEAD.size
_PLAIN = (bool, int, float, str, type(None))
_KINDS = "biufc"  # dtypes that are sent: numbers
_DEPTH = 20
_MANY = 10_000  # arrays in a frame
_LONG = 5000  # entries above which a list is sent as an array
_DIGITS = 10_000  # bits of an integer, at most
_read, _readv, _write = os.read, getattr(os, "readv", None), os.write  # saved here, because cells may change os
_LOOK = 0.03  # seconds between two calls of a channel's ``watch``


class FrameError(ValueError):
    """The data are not a frame, or larger than allowed."""


class Foreign:
    """A placeholder for a value that is not sent, such as a dict or a function; it has the name of its type."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"<{self.kind}>"


def pack(message: Any, most: int = MAX_FRAME, most_text: int = MAX_FRAME) -> bytes:
    """Return ``message`` (nested dicts with string keys, lists, numbers, strings, arrays) as one frame."""
    arrays: list[bytes] = []
    text = json.dumps(encode(message, arrays)).encode()
    body = b"".join(struct.pack("!Q", len(a)) + a for a in arrays)
    if len(text) + len(body) > most or len(text) > most_text:
        raise FrameError(f"{len(text)} + {len(body)} bytes; at most {most} are allowed, {most_text} of text")
    return _HEAD.pack(len(text), len(body)) + text + body


def sizes(head: bytes, most: int = MAX_FRAME, most_text: int = MAX_FRAME) -> tuple[int, int]:
    """Return the two lengths that the head of a frame announces, if they are allowed."""
    text, body = _HEAD.unpack(head)
    if text + body > most or text > most_text:
        raise FrameError(f"the frame has {text} + {body} bytes; at most {most} are allowed, {most_text} of text")
    return text, body


def unpack(text: bytes, body: bytes) -> Any:
    """Return the message of a frame, or raise `FrameError`."""
    try:
        arrays, at = [], 0
        while at < len(body):
            (size,) = struct.unpack_from("!Q", body, at)
            if len(arrays) == _MANY or size > len(body) - at - 8:
                raise FrameError("the frame has too many arrays, or one that is too long")
            arrays.append(_array(body[at + 8 : at + 8 + size]))
            at += 8 + size
        return decode(json.loads(text), arrays)
    except FrameError:
        raise
    except Exception as error:  # a hostile frame can make these parsers raise anything
        raise FrameError(f"not a frame: {type(error).__name__}") from None


def whole(data: bytes) -> Any:
    """Return the message of a complete frame, or raise `FrameError`."""
    text, body = sizes(data[:HEAD_SIZE])
    return unpack(data[HEAD_SIZE : HEAD_SIZE + text], data[HEAD_SIZE + text : HEAD_SIZE + text + body])


def _array(data: bytes) -> np.ndarray:
    """Return an array from the bytes of an .npy file; np.load would allocate its shape before reading the data."""
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise FrameError("an array of numbers was expected")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.kind not in _KINDS or dtype.hasobject or max(shape, default=0) > MAX_FRAME or min(shape, default=0) < 0:
        raise FrameError("an array of numbers was expected")
    if math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise FrameError("the size of the array differs from its shape")
    flat = np.frombuffer(data, dtype, offset=file.tell())
    return flat.reshape(shape, order="F" if fortran else "C").copy(order="K")


def encode(value: Any, arrays: list[bytes], depth: int = 0) -> Any:
    """Return ``value`` for JSON; arrays are appended to ``arrays`` and replaced by their index."""
    if depth > _DEPTH:
        return {"$": "foreign", "kind": "deeply nested list"}
    if type(value) is int and value.bit_length() > _DIGITS:
        return {"$": "foreign", "kind": "int"}
    if type(value) in _PLAIN:
        return value
    if type(value) is complex:
        value = np.complex128(value)
    if type(value) is Foreign:
        return {"$": "foreign", "kind": value.kind}
    if isinstance(value, dict):
        if depth and not all(type(key) is str and key != "$" for key in value):
            return {"$": "foreign", "kind": "dict"}
        return {key: encode(item, arrays, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):  # also a namedtuple
        items = [encode(item, arrays, depth + 1) for item in value]
        return items if isinstance(value, list) else {"$": "tuple", "items": items}
    array = _numbers(value)
    if array is None and type(value) is np.ndarray and value.dtype == object and value.size <= _LONG:
        items = [encode(item, arrays, depth + 1) for item in value.flat]
        return {"$": "objects", "shape": list(value.shape), "items": items}
    if array is None:
        return {"$": "foreign", "kind": type(value).__name__[:100]}
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    arrays.append(file.getvalue())
    return {"$": "scalar" if isinstance(value, np.generic) else "array", "at": len(arrays) - 1}


def _numbers(value: Any) -> np.ndarray | None:
    """Return a value as an array of numbers, or None; fractions and the like become floats, as in the checks."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":
            if any(isinstance(entry, (str, bytes, complex, type(None))) for entry in array.flat):
                return None
            array = array.astype(float)
    except Exception:
        return None
    if array.dtype.kind not in _KINDS:
        return None
    return array.astype(array.dtype.newbyteorder("="), copy=False).view(np.ndarray)


def plain(value: Any, depth: int = 0) -> Any:
    """Return the part of a value that would be sent: copies of its numbers, in lists and tuples as in the value.

    A notebook also judges this part, so that an answer gets the same points in both places. Reading the numbers of an
    object may run its author's code: call this only where time is limited.
    """
    if type(value) in _PLAIN or type(value) is complex or isinstance(value, dict):
        return value
    if depth > _DEPTH:
        return Foreign("deeply nested list")
    if isinstance(value, (list, tuple)):
        if len(value) > _LONG and (array := _numbers(value)) is not None:
            return array
        items = [plain(item, depth + 1) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        value = value.astype(float).filled(np.nan)
    array = _numbers(value)
    if array is not None:
        return array[()] if isinstance(value, np.generic) else array.copy()
    if isinstance(value, np.ndarray) and value.dtype.kind in "OUS" and value.size <= _LONG:
        return _objects(value.shape, [plain(item, depth + 1) for item in value.ravel().tolist()])
    return value


def _objects(shape: tuple[int, ...], items: list) -> np.ndarray:
    """Return an array of objects that are not all numbers."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(shape)


def decode(value: Any, arrays: list[np.ndarray | None], depth: int = 0) -> Any:
    """Return the value that `encode` received."""
    if depth > 2 * _DEPTH:
        raise FrameError("nested too deeply")
    if isinstance(value, list):
        return [decode(item, arrays, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    kind = value.get("$")
    if kind is None:
        return {key: decode(item, arrays, depth + 1) for key, item in value.items()}
    if kind == "tuple":
        return tuple(decode(item, arrays, depth + 1) for item in value["items"])
    if kind == "objects":
        if len(value["items"]) > _LONG:
            raise FrameError("too many entries")
        return _objects(tuple(value["shape"]), [decode(item, arrays, depth + 1) for item in value["items"]])
    if kind in ("array", "scalar"):
        array, arrays[value["at"]] = arrays[value["at"]], None
        if array is None:  # many references would become as many copies later
            raise FrameError("an array may be referred to only once")
        return array if kind == "array" else array[()]
    return Foreign(str(value.get("kind"))[:100])


class HungUp(BaseException):
    """The grader has ended, so this process should end."""


class Channel:
    """Frames over a pair of file descriptors, with a deadline for reading.

    At most ``most`` bytes are accepted, ``most_text`` of them text. ``life`` is a descriptor that becomes readable only
    when the other side has ended; ``watch`` is called every few hundredths of a second until the deadline.
    """

    def __init__(
        self,
        read: int,
        write: int,
        *,
        most: int = MAX_FRAME,
        most_text: int = MAX_FRAME,
        life: int = -1,
        watch: Callable[[], object] | None = None,
        look: float = _LOOK,
    ) -> None:
        self.read_fd, self.write_fd, self.life = read, write, life
        self.most, self.most_text = most, most_text
        self.watch, self.look, self.next_look = watch, _LOOK, 0.0

    def send(self, message: Any, most: int = MAX_FRAME, most_text: int = MAX_FRAME) -> None:
        """Write a frame; FrameError if it is too large."""
        self.send_bytes(pack(message, most, most_text))

    def send_bytes(self, data: bytes) -> None:
        """Write these bytes unchanged."""
        rest = memoryview(data)
        while rest:
            rest = rest[_write(self.write_fd, rest) :]

    def receive(self, deadline: float | None = None) -> Any:
        """Return the next message; EOFError at the end, TimeoutError after the deadline, FrameError for nonsense.

        ``deadline`` is a value of `time.monotonic`.
        """
        text, body = sizes(self._exactly(HEAD_SIZE, deadline), self.most, self.most_text)
        return unpack(self._exactly(text, deadline), self._exactly(body, deadline))

    def receive_bytes(self, place: memoryview) -> None:
        """Fill ``place`` with the next bytes, without another copy in this process."""
        while place:
            count = _readv(self.read_fd, [place])
            if not count:
                raise EOFError
            place = place[count:]

    def close(self) -> None:
        """Close both ends."""
        os.close(self.write_fd)
        os.close(self.read_fd)

    def _exactly(self, size: int, deadline: float | None) -> bytes:
        data = bytearray()
        while len(data) < size:
            if deadline is not None and not self._wait(deadline):
                continue
            piece = _read(self.read_fd, min(size - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def _wait(self, deadline: float) -> bool:
        """Wait a short time; return whether there is something to read."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        fds = [fd for fd in (self.read_fd, self.life) if fd >= 0]
        ready = select.select(fds, [], [], left if self.watch is None else min(left, self.look))[0]
        if self.life in ready:
            raise HungUp
        if self.watch is not None and time.monotonic() >= self.next_look:
            self.watch()
            self.next_look = time.monotonic() + self.look
        return bool(ready)
