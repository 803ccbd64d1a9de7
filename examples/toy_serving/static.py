"""The naive loop: a batch runs until the last of it has ended, and then the next one comes in."""

from __future__ import annotations

from examples.toy_serving.engine import Engine


def serve(engine: Engine) -> None:
    """Serve all that wait, batch by batch.

    Who has ended keeps slot, memory and row: the others are not done. Who gave way belongs to the
    batch, so the next one has to wait for it, too.
    """
    while engine.waiting or engine.preempted:
        engine.admit(engine.preempted or engine.waiting)
        engine.prefill()
        while engine.decode():
            pass
        engine.release(engine.batch)
