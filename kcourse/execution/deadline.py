"""Stop the calls of an answer in a student's own process: after a time, or where the student interrupts them.

A thread waits for the end of the time and then sends the signal of Ctrl-C again and again, which works on every system
and also ends a sleep. An exception is raised only while the answer's own code runs, so that neither a late signal nor
an interrupt can leave the checker half done. The answer cannot catch them all, but one call into compiled code, such as
``sum(itertools.count())``, goes on until it returns.

Only the main thread receives signals, and WebAssembly has no threads: elsewhere there is no limit.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["Deadline", "TookTooLong", "within"]

_AGAIN = 0.02  # seconds between two signals
_ARRIVES = 5  # intervals in which a signal arrives
_LATER = 4  # what follows an answer that took too long gets this part of the time


class TookTooLong(BaseException):
    """Raised in an answer at the end of its time; the text is the number of seconds."""


def within(function: Callable, *args: Any) -> Any:
    """Call code that a `Deadline` may stop; the handler recognises this function on the stack."""
    return function(*args)


class Deadline:
    """A context in which all code `within` together gets ``seconds`` of wall-clock time.

    It can be entered again. ``over`` says whether code was ever stopped; then less time is left for what follows.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds, self.over = seconds, False

    def __enter__(self) -> None:
        self.late = self.sent = self.stopped = self.interrupted = False
        self.done, self.thread = threading.Event(), threading.Thread(target=self._send, daemon=True)
        self.before, self.trace = signal.getsignal(signal.SIGINT), sys.gettrace()
        # an answer may call `check`, whose calls then belong to the answer; a handler of other code cannot be restored
        inner = getattr(self.before, "__func__", None) is Deadline._handle
        self.limits = threading.current_thread() is threading.main_thread() and self.before is not None and not inner
        if self.limits:
            signal.signal(signal.SIGINT, self._handle)
            try:
                self.thread.start()
            except RuntimeError:  # there are no threads
                signal.signal(signal.SIGINT, self.before)
                self.limits = False

    def __exit__(self, *_error: object) -> None:
        if not self.limits:
            return
        self.done.set()
        self.thread.join()
        for _ in range(_ARRIVES):  # the last signal must not find the handler that was there before
            if self.sent:
                time.sleep(_AGAIN)
        signal.signal(signal.SIGINT, self.before)
        sys.settrace(self.trace)
        if self.stopped:
            self.over, self.seconds = True, self.seconds / _LATER
        if self.interrupted:
            signal.raise_signal(signal.SIGINT)

    def _send(self) -> None:
        wait = self.seconds
        while not self.done.wait(wait):
            self.late = self.sent = True
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            else:  # Windows, where this also wakes the main thread
                signal.raise_signal(signal.SIGINT)
            wait = _AGAIN

    def _raise(self) -> None:
        raise TookTooLong(f"{self.seconds:.0f} s")

    def _at_line(self, _frame: FrameType, event: str, _arg: object) -> Callable:
        if event == "line":
            self._raise()
        return self._at_line

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.sent, inside = False, _frames_of_answer(frame)
        if self.late:
            if inside:
                if self.stopped:  # it was caught, so it is raised again at the next line, which may be outside the try
                    sys.settrace(lambda *_: None)
                    for each in inside:
                        each.f_trace = self._at_line
                self.stopped = True
                self._raise()
        elif self.before is signal.SIG_IGN:
            pass
        elif inside or self.interrupted:
            (self.before if callable(self.before) else signal.default_int_handler)(number, frame)
        else:  # raised once the checker is no longer in the middle of a call
            self.interrupted = True


def _frames_of_answer(frame: FrameType | None) -> list[FrameType]:
    """Return the frames that `within` has called, the innermost first; an empty list if none of them runs."""
    frames = []
    while frame is not None and frame.f_code is not within.__code__:
        frames.append(frame)
        frame = frame.f_back
    return frames if frame is not None else []
