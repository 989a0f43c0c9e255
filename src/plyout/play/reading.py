"""What the user types: with completion on a terminal, plain lines from a pipe; until his time is over."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

_AGAIN = 0.2  # seconds between alarms
Completions = Callable[[str, str], list[str]]
"""From what stands before a word and the word as far as it is typed, to what it may become."""


class TimeOver(Exception):
    """Nothing was typed in time."""


class Reader:
    """Reads lines from standard input."""

    def __init__(self, completions: Completions) -> None:
        self.typed = sys.stdin.isatty() and sys.stdout.isatty()
        if (reconfigure := getattr(sys.stdin, "reconfigure", None)) is not None:
            reconfigure(errors="replace")  # what is no text is no move
        if self.typed:
            _complete_by(completions)

    def line(self, prompt: str, seconds: float | None = None) -> str | None:
        """The next line; None where the input has ended. `TimeOver` if it does not come in so many `seconds`."""
        sys.stdout.flush()
        with interruptible(), _alarm(seconds):
            if not self.typed:
                return sys.stdin.readline() or None
            try:
                return input(prompt)
            except EOFError:
                print()  # the prompt's line ends
                return None


def _complete_by(completions: Completions) -> None:
    """Let the tabulator complete words; where Python has no readline, it does not."""
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def complete(begun: str, number: int) -> str | None:
        nonlocal found
        if number == 0:
            found = completions(readline.get_line_buffer()[: readline.get_begidx()], begun)
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise `TimeOver` in so many seconds, where the system can; elsewhere it is noticed after the line has come."""
    in_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not in_main or not hasattr(signal, "setitimer"):
        yield
        return

    def over(number: int, frame: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise TimeOver

    former = signal.signal(signal.SIGALRM, over)
    try:
        # more than once: readline sleeps through a signal that comes just before it waits for a key
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3), _AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


class Leaving(BaseException):
    """The terminal is closed, or the system wants us to end; `code` is the exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


@contextmanager
def leaving_by_signals() -> Iterator[None]:
    """Let the signals by which terminals and systems end programs raise `Leaving`, and Ctrl-C do nothing by itself."""
    former = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # not ignored, as by nohup
                former[number] = signal.signal(number, _leave)
        former[signal.SIGINT] = signal.signal(signal.SIGINT, _nothing)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(number, _nothing)  # a second one must not disturb what is being saved
    raise Leaving(128 + number)


def _nothing(number: int, frame: FrameType | None) -> None:
    pass


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(number, _nothing)
    raise KeyboardInterrupt


def interruptible() -> AbstractContextManager[None]:
    """Let Ctrl-C raise KeyboardInterrupt, once."""
    return _handled(_interrupt)


def interrupts(to: Callable[[], None]) -> AbstractContextManager[None]:
    """Let Ctrl-C call something."""
    return _handled(lambda number, frame: to())


@contextmanager
def _handled(by: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    former = signal.signal(signal.SIGINT, by)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
