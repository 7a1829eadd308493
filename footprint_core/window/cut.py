"""A run cut off behind one of its calls: what stood there when that call had been answered, and nothing later."""

from dataclasses import replace

from footprint_core.model import Events, Run


def until_call(run: Run, position: int) -> Run:
    """`run` up to the call at `position` (from 1), with what it wrote and the results it got; a shorter run as it is.

    Windows, records and events of later calls are left out. What was written is seen from the call that followed.
    """
    if position >= len(run.calls):
        return run
    last = run.calls[position - 1].iteration
    kept = sum(entered <= position + 1 for entered in run.entered)
    while kept and run.entered[kept - 1] == position + 1 and run.messages[kept - 1].role not in ("assistant", "tool"):
        kept -= 1
    messages = tuple(
        replace(message, seen_from=_seen_from(run, index)) if message.seen_from is None else message
        for index, message in enumerate(run.messages[:kept])
    )
    return replace(
        run,
        messages=messages,
        calls=run.calls[:position],
        records=None if run.records is None else tuple(row for row in run.records if row.iteration <= last),
        events=_events(run.events, last),
    )


def _seen_from(run: Run, index: int) -> int:
    entered = run.entered[index]
    return run.calls[entered - 1].iteration if entered <= len(run.calls) else run.calls[-1].iteration + 1


def _events(events: Events, last: int) -> Events:
    return replace(
        events,
        repeated_calls=None
        if events.repeated_calls is None
        else tuple(one for one in events.repeated_calls if one.iteration <= last),
        evictions=None
        if events.evictions is None
        else tuple(one for one in events.evictions if one.iteration is not None and one.iteration <= last),
        skill_rejections=None
        if events.skill_rejections is None
        else tuple(one for one in events.skill_rejections if one.iteration <= last),
        complete=None,
        stopped_early=None,
    )
