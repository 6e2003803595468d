"""What crosses into and out of the sandbox, and what does not."""

import io
import json
import pickle
import struct
import tracemalloc

import numpy as np
import pytest

from kcourse.execution import codec
from kcourse.execution.codec import Foreign, FrameError


def back(data, **caps):
    head, rest = data[: codec.HEAD_SIZE], data[codec.HEAD_SIZE :]
    text, body = codec.sizes(head, **caps)
    return codec.unpack(rest[:text], rest[text : text + body])


def frame(text, body=b""):
    return struct.pack("!QQ", len(text), len(body)) + text + body


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return struct.pack("!Q", file.tell()) + file.getvalue()


REFERS = json.dumps({"x": {"$": "array", "at": 0}}).encode()


def test_round_trip():
    nested = [[1, [2, 3]], (1, "a"), [], {"a": {"b": [1]}}]
    for value in (None, True, 3, -2.5, float("inf"), "σ", *nested, np.float32(2), np.int64(3)):
        got = back(codec.pack({"x": value}))["x"]
        assert got == value and type(got) is type(value)
    assert np.isnan(back(codec.pack({"x": float("nan")}))["x"])


class Faked(np.ndarray):
    def __array_function__(self, *_):
        return True


def test_arrays_round_trip_as_plain_ones_and_can_be_written_to():
    arrays = [np.arange(6.0).reshape(2, 3), np.asfortranarray(np.eye(3)[:, :2]), np.zeros((0, 3)), np.array(2.5),
              np.array([True, False]), np.array([1 + 2j]), np.zeros(4, "i2"), np.ones(2).view(Faked)]  # fmt: skip
    for array in arrays:
        got, plain = back(codec.pack({"x": array}))["x"], array.view(np.ndarray)
        assert got.dtype == array.dtype and got.shape == array.shape and np.array_equal(got, plain)
        assert got.flags.writeable and type(got) is np.ndarray


def test_caps_hold_both_ways():
    long, huge = {"x": "y" * 1000}, struct.pack("!QQ", 2**63, 2**63)
    for words, send in (
        ("at most", lambda: codec.pack(long, most=500)), ("of text", lambda: codec.pack(long, most_text=500)),
        ("the frame has", lambda: codec.sizes(huge)), ("the frame has", lambda: back(codec.pack(long), most=500)),
    ):  # fmt: skip
        with pytest.raises(FrameError, match=words):
            send()


def test_what_is_no_number_crosses_as_the_name_of_its_type():
    for value, kind in (
        ({1: 2}, "dict"), (len, "builtin_function_or_method"), ({"$": 1}, "dict"),
        (np.array(["a"]), "ndarray"), (set(), "set"), (Foreign("dict"), "dict"),
    ):  # fmt: skip
        got = back(codec.pack({"x": value}))["x"]
        assert isinstance(got, Foreign) and got.kind == kind


def test_a_deeply_nested_list_does_not_cross():
    deep = []
    for _ in range(500):
        deep = [deep]
    assert "deep" in json.dumps(codec.encode({"x": deep}, []))


def announced(shape, dtype="<f8", data=b""):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    file = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data
    return struct.pack("!Q", len(file)) + file


HOSTILE = {
    "no JSON": frame(b"\x00\xff nonsense"),
    "no UTF-8": frame(b'"\xff\xfe"'),
    "nested JSON": frame(b"[" * 100_000 + b"]" * 100_000),
    "nested a little": frame(b"[" * 60 + b"]" * 60),
    "long number": frame(b"1" * 100_000),
    "no array of that number": frame(REFERS),
    "one array twice": frame(b"[" + REFERS + b", " + REFERS + b"]", npy(np.ones(2))),
    "at is a list": frame(b'{"$": "array", "at": []}'),
    "tuple without items": frame(b'{"$": "tuple"}'),
    "tuple of a number": frame(b'{"$": "tuple", "items": 3}'),
    "cut array": frame(REFERS, npy(np.ones(9))[:-8]),
    "length beyond the end": frame(REFERS, struct.pack("!Q", 2**62) + b"x"),
    "length cut": frame(REFERS, b"\x00\x00"),
    "many empty arrays": frame(REFERS, struct.pack("!Q", 0) * 100_000),
    "objects": frame(REFERS, npy(np.array([{}, []], dtype=object), allow_pickle=True)),
    "strings": frame(REFERS, npy(np.array(["a"]))),
    "dates": frame(REFERS, npy(np.array(["2020-01-01"], "M8[D]"))),
    "records": frame(REFERS, npy(np.zeros(2, [("a", "f8")]))),
    "pickle": frame(REFERS, struct.pack("!Q", 9) + pickle.dumps(3)[:9].ljust(9)),
    "zip": frame(REFERS, struct.pack("!Q", 8) + b"PK\x03\x04abcd"),
    "huge shape": frame(REFERS, announced("(1000000000000,)")),
    "huge shapes whose product overflows": frame(REFERS, announced(f"({2**40}, {2**40})")),
    "empty and huge": frame(REFERS, announced(f"(0, {2**62})")),
    "negative": frame(REFERS, announced("(-1,)")),
    "too long for its shape": frame(REFERS, announced("(1,)", data=b"\0" * 16)),
    "code for a shape": frame(REFERS, announced("(__import__('os').getpid(),)")),
}


def test_a_hostile_frame_is_an_error_and_takes_no_memory(subtests):
    for name, data in HOSTILE.items():
        with subtests.test(msg=name):
            tracemalloc.start()
            try:
                with pytest.raises(FrameError):
                    back(data)
                assert tracemalloc.get_traced_memory()[1] < 5_000_000 + 20 * len(data)
            finally:
                tracemalloc.stop()


def test_noise_is_never_more_than_an_error():
    rng = np.random.default_rng(0)
    good = codec.pack({"x": np.eye(3), "y": [1, "a", (2.0,)]})
    for _ in range(300):
        bad = bytearray(good)
        for at in rng.integers(codec.HEAD_SIZE, len(bad), 3):
            bad[at] = rng.integers(256)
        try:
            back(bytes(bad))
        except FrameError:
            pass
