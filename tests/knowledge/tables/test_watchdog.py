"""What takes too long is ended, and nothing else is."""

import threading
import time

import pytest

from plyout.knowledge.tables.watchdog import Watchdog


def test_what_never_ends_is_ended() -> None:
    watchdog = Watchdog(0.2)
    for _ in range(2):
        began = time.monotonic()
        with pytest.raises(TimeoutError), watchdog:
            while True:
                pass
        assert time.monotonic() - began < 5.0


def test_what_ends_in_time_goes_on_and_errors_are_its_own() -> None:
    watchdog = Watchdog(0.3)
    for number in range(2000):
        with watchdog:
            number += 1
    with pytest.raises(KeyError), watchdog:
        raise KeyError
    time.sleep(0.6)


def test_another_thread_is_not_ended() -> None:
    watchdog, ended = Watchdog(0.2), []

    def work() -> None:
        try:
            with watchdog:
                while True:
                    pass
        except TimeoutError:
            ended.append(threading.get_ident())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10.0)
    assert ended == [thread.ident]
