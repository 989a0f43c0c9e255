"""The runner of a Ray cluster.

One worker process for each core that a machine offers, for as long as the run lasts, and one task, or pair, at a time
for each. A machine is looked at before its first worker counts: see `kit.py`. Workers that are lost are replaced,
machines that join late are used. Only the driver's thread decides; threads that start workers, and Ray's own, tell it.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from plyout.errors import InputError
from plyout.lab.run.drive import Event, Hand
from plyout.lab.run.kit import Kit, place, speed
from plyout.lab.run.on_ray.connect import connected
from plyout.lab.run.on_ray.node import DEATHS, Node, RemoteHand, named
from plyout.lab.run.on_ray.worker import RemoteWorker
from plyout.lab.run.work import Halted, Thing, Work
from plyout.progress import warn

_LOOK = 1.0  # seconds between two looks at the machines
_ASK, _SILENT = 10.0, 60.0  # seconds between two questions whether a worker lives, and until silence means it does not
_GRACE = 5.0  # seconds for workers to end what they do
_SLOW, _TIMES = 60.0, 5.0  # a task is slow after so many seconds, and so many times the longest before
_ALONE = 10.0  # seconds without any machine until that is told
_THREADS = 3  # of a worker process: one works, the others answer
_SHOWN = 6  # machines in a progress bar


class Leaving(Exception):
    """The run is over: a thread that starts workers need not go on."""


class RayRunner:
    """``with RayRunner("auto") as runner: drive(work, source, runner)``, as often as you like."""

    concurrency = 0

    def __init__(self, address: str, scale_time: bool = False) -> None:
        self._address, self._scale_time = address, scale_time
        self._stack = ExitStack()
        self._ray: Any = None
        self._nodes: dict[str, Node] = {}
        self._threads: list[threading.Thread] = []
        self._hiring = threading.Lock()
        self._run: object = None
        """of the run that goes on, if one does"""
        self._cores = 0
        self._speed = 0.0
        self._log: Callable[[str], None] = lambda line: None

    def __enter__(self) -> "RayRunner":
        self._ray = self._stack.enter_context(connected(self._address))
        return self

    def __exit__(self, *error: object) -> None:
        for thread in self._threads:  # they see that the run is over
            thread.join(_GRACE)
        for node in self._nodes.values():
            self._dismiss(node.spare)
        self._nodes.clear()
        self._stack.close()

    # -- what the driver asks for ---------------------------------------------------------------------------------

    def begin(self, work: Work[Any, Any], tell: Callable[[Event], None], log: Callable[[str], None]) -> None:
        if work.cores != self._cores:  # others would take too much, or too little
            for node in self._nodes.values():
                self._dismiss(node.spare)
            self._nodes.clear()
        self._cores = work.cores
        self._tell, self._log = tell, log
        self._kit = Kit.here(work.things())
        if missing := [str(thing) for thing, found in self._kit.things.items() if not found]:
            raise InputError(f"{missing[0]} is not on this machine")
        self._speed = self._speed or speed()
        self._work = self._ray.put(work)
        self._parcels: dict[Thing, Any] = {}
        self._began, self._looked, self._done, self._longest = time.monotonic(), 0.0, 0, 0.0
        self._told_alone = False
        self._run = object()
        for node in self._nodes.values():
            node.known, node.refused, node.deaths, node.done = False, "", 0, 0
        self.look()

    def start(self, hand: Hand, tasks: Sequence[Any]) -> None:
        assert isinstance(hand, RemoteHand)
        hand.tasks, hand.began, hand.slow = tasks, time.monotonic(), False
        hand.actor.do.remote(tasks).future().add_done_callback(partial(self._ended, hand, self._tell))

    def look(self) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        self._meet()
        for node in tuple(self._nodes.values()):
            if not node.refused and not node.engaging and len(node.hands) < node.slots:
                node.engaging = True
                thread = threading.Thread(target=self._engage, args=(node, self._run), daemon=True)
                self._threads = [other for other in self._threads if other.is_alive()] + [thread]
                thread.start()
            for hand in tuple(node.hands):
                self._listen(hand, now)
        self._see_whether_anybody_is_left(now)

    def words(self) -> str:
        nodes = [node for node in tuple(self._nodes.values()) if node.hands]
        each = ", ".join(node.words() for node in nodes[:_SHOWN])
        more = f" and {len(nodes) - _SHOWN} more" if len(nodes) > _SHOWN else ""
        rate = self._done / max(1e-9, time.monotonic() - self._began)
        return f"{len(nodes)} machine{'' if len(nodes) == 1 else 's'} ({each}{more}), {rate:.1f}/s"

    def end(self) -> None:
        if self._run is None:
            return
        busy: list[Any] = []
        with self._hiring:
            self._run = None
            for node in self._nodes.values():
                for hand in node.hands:
                    (busy if hand.tasks else node.spare).append(hand.actor)
                node.hands.clear()
                if node.done:
                    self._log(f"{node.name}: {node.done} done")
        self._dismiss(busy)
        for node in self._nodes.values():
            for actor in node.spare:
                actor.rest.remote()
        self._log = lambda line: None
        del self._work
        self._parcels.clear()

    # -- machines -------------------------------------------------------------------------------------------------

    def _meet(self) -> None:
        """Take note of machines that have come or gone."""
        alive = {record["NodeID"]: record for record in self._ray.nodes() if record["Alive"]}
        for gone in self._nodes.keys() - alive:
            node = self._nodes.pop(gone)
            self._log(f"{node.name} has gone")
            for hand in tuple(node.hands):
                self._lose(hand, self._tell, f"{node.name} has gone")
        for id_ in alive.keys() - self._nodes:
            slots = int(alive[id_]["Resources"].get("CPU", 0)) // self._cores
            if slots:
                self._nodes[id_] = Node(id_, named(alive[id_]), slots)

    def _listen(self, hand: RemoteHand, now: float) -> None:
        """Ask a worker whether it lives, and give up one that has not said so for long."""
        if hand.asked is not None:
            if now - hand.asked > _SILENT:
                self._kill([hand.actor])
                self._lose(hand, self._tell, f"a worker on {hand.name} has not answered for {_SILENT:.0f} s")
        elif now - hand.answered > _ASK:
            hand.asked = now
            hand.actor.ping.remote().future().add_done_callback(partial(_answered, hand))
        if hand.tasks and not hand.slow and now - hand.began > max(_SLOW, _TIMES * self._longest):
            hand.slow = True
            self._log(f"{hand.name} is slow: it has been at one task for {now - hand.began:.0f} s")

    def _see_whether_anybody_is_left(self, now: float) -> None:
        nodes = tuple(self._nodes.values())
        refused = [node for node in nodes if node.refused]
        if nodes and len(refused) == len(nodes):
            raise InputError(f"no machine of the cluster can be used: {refused[0].name}: {refused[0].refused}")
        if not nodes and not self._told_alone and now - self._began > _ALONE:
            self._told_alone = True
            warn(f"no machine of the cluster offers {self._cores} CPU yet: 'ray start --address=… --num-cpus=4' on one")

    # -- workers --------------------------------------------------------------------------------------------------

    def _engage(self, node: Node, run: object) -> None:
        """Start the workers that a machine lacks: the first alone, that it compiles for all."""
        new: dict[Any, Any] = {}
        get = partial(self._get, run)
        try:
            if not node.known:
                actor = self._new(node)
                new[actor] = None
                self._look_at(node, actor, get)
                get(self._taken_up(node, actor))
                node.known = True
                self._hire(node, actor, run)
                del new[actor]
            while len(node.hands) + len(new) < node.slots:
                actor = self._new(node)
                new[actor] = self._taken_up(node, actor)
            for actor, ref in tuple(new.items()):
                get(ref)
                self._hire(node, actor, run)
                del new[actor]
        except Leaving:
            pass
        except InputError as error:
            self._refuse(node, str(error))
        except Exception as error:  # of Ray: the process could not be started, or has died
            node.deaths += 1
            text = " ".join(str(error).split())
            if "No module named 'plyout" in text:
                self._refuse(node, "Plyout is not installed there, or an older one: pip install 'plyout[ray]'")
            elif node.deaths >= DEATHS:
                self._refuse(node, f"its workers do not start: {text[:200]}")
            else:
                self._log(f"{node.name}: a worker could not be started: {text[:200]}")
                time.sleep(_LOOK)
        finally:
            self._kill(new)
            node.engaging = False

    def _new(self, node: Node) -> Any:
        if node.spare:
            return node.spare.pop()
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(node.id, soft=False)
        options = {"num_cpus": self._cores, "max_concurrency": _THREADS, "scheduling_strategy": there}
        return self._ray.remote(RemoteWorker).options(**options).remote()

    def _look_at(self, node: Node, actor: Any, get: Callable[[Any], Any]) -> None:
        """Compare a machine with ours; `InputError` names what differs."""
        things = list(self._kit.things)
        found = get(actor.about.remote([tuple(thing) for thing in things], not node.speed))
        there = Kit(found["versions"], dict(zip(things, found["checksums"], strict=True)))
        if objections := self._kit.objections(there):
            raise InputError("; ".join(objections))
        lacking = self._kit.lacks(there)
        node.sent = [self._parcel(thing) for thing in lacking]
        node.speed = node.speed or found["speed"]
        relative = node.speed / self._speed
        node.pace = 1 / relative if self._scale_time else 1.0
        versions = ", ".join(f"{name} {version}" for name, version in there.versions.items())
        sent = f", gets {', '.join(map(str, lacking))}" if lacking else ""
        scaled = f", times {node.pace:.2f}" if self._scale_time else ""
        self._log(f"{node.name}: {node.slots} workers, {relative:.2f} of our speed{scaled}, {versions}{sent}")

    def _parcel(self, thing: Thing) -> Any:
        """A thing on its way to a machine that lacks it, packed once for all."""
        if thing not in self._parcels:
            path = place(thing)
            assert path is not None
            self._parcels[thing] = self._ray.put((thing, path.read_bytes()))
        return self._parcels[thing]

    def _taken_up(self, node: Node, actor: Any) -> Any:
        return actor.take_up.remote(self._work, list(self._kit.things), node.pace, *node.sent)

    def _get(self, run: object, ref: Any) -> Any:
        """What a worker answers, as long as anybody wants to know."""
        while self._run is run:
            try:
                return self._ray.get(ref, timeout=_LOOK)
            except self._ray.exceptions.GetTimeoutError:
                continue
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause from None
        raise Leaving

    def _hire(self, node: Node, actor: Any, run: object) -> None:
        hand = RemoteHand(node, actor)
        with self._hiring:
            if self._run is not run:
                raise Leaving
            node.hands.add(hand)
        self._tell(Event(hand))

    def _ended(self, hand: RemoteHand, tell: Callable[[Event], None], future: Any) -> None:
        """Called by Ray when a task is done, or whoever did it is no more."""
        error, tasks = future.exception(), hand.tasks
        hand.tasks = ()
        cause = getattr(error, "cause", None) if isinstance(error, self._ray.exceptions.RayTaskError) else None
        if error is None:
            hand.answered = time.monotonic()
            self._longest = max(self._longest, hand.answered - hand.began)
            self._done += len(tasks)
            hand.node.done += len(tasks)
            hand.node.deaths = 0
            tell(Event(hand, future.result()))
        elif cause is None:
            self._lose(hand, tell, f"a worker on {hand.name} was lost ({type(error).__name__})")
        elif not isinstance(cause, Halted):
            tell(Event(hand, error=cause))

    def _lose(self, hand: RemoteHand, tell: Callable[[Event], None], why: str) -> None:
        if hand not in hand.node.hands:
            return
        hand.node.lose(hand, why)
        self._log(why)
        tell(Event(hand, lost=why))

    def _refuse(self, node: Node, why: str) -> None:
        node.refused = why
        line = f"{node.name} is not used: {why}"
        self._log(line)
        warn(line)

    def _dismiss(self, actors: list[Any]) -> None:
        """End worker processes, and before that whatever they have started."""
        refs = [actor.rest.remote() for actor in actors]
        with contextlib.suppress(Exception):  # of those who are no more
            self._ray.wait(refs, num_returns=len(refs), timeout=_GRACE)
        self._kill(actors)
        actors.clear()

    def _kill(self, actors: Iterable[Any]) -> None:
        for actor in actors:
            with contextlib.suppress(Exception):  # it may be no more, or nobody knows it any more
                self._ray.kill(actor)


def _answered(hand: RemoteHand, future: Any) -> None:
    if future.exception() is None:
        hand.asked, hand.answered = None, time.monotonic()
