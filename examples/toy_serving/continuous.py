"""The other loop: who has ended leaves at once, and the next one comes in before the next pass."""

from __future__ import annotations

from examples.toy_serving.engine import Engine


def serve(engine: Engine) -> None:
    """Serve all that wait, pass by pass.

    Prompts run in passes of their own, while the others wait. Who gave way comes back first.
    """
    while engine.waiting or engine.preempted or engine.batch:
        engine.admit(engine.preempted)
        if not engine.preempted:
            engine.admit(engine.waiting)
        if not engine.prefill():
            engine.decode()
        engine.release([each for each in engine.batch if each.has_ended])
