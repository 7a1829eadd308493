"""The landings of a run: every tool call that really ran, counted from zero, with the note its result earned."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from footprint_core.ledger.note import ARGUMENTS_MODE, strip_note
from footprint_core.ledger.pairing import pair
from footprint_core.ledger.repeated_calls import Ledger, note_key, repeated_call_key
from footprint_core.model import Call, Json, Message, Run, Tool, ToolCall
from footprint_core.policy import Settings


@dataclass(frozen=True, slots=True)
class RunLanding:
    """One landing of a run.

    `iteration` is the run's own number of the call that asked, `position` its place among the run's calls, from 1.
    `message` and `call_message` are the ledger indexes of the result and of the message that asked. `args` are as
    the tool received them; fingerprints leave out what the settings ignore. `result` is as delivered. `note` is
    the note the settings' threshold gives, in our words; `recorded_note` the one that stood in the recording.
    """

    iteration: int
    tool: str
    tool_call_id: str
    key: str
    occurrences: int
    note: str | None
    args_fingerprint: str
    result_fingerprint: str
    mode: str | None
    message: int
    call_message: int
    position: int
    args: Json = field(hash=False)
    result: str = field(repr=False)
    recorded_note: str | None = None


def landings(run: Run, settings: Settings = Settings()) -> list[RunLanding]:  # noqa: B008 (frozen)
    """Every landing of `run` in ledger order. Counts start at zero with the run.

    No landing: a call whose result is missing, was refused (`ran` false) or was there before the file's first
    call, and a call to a tool that its model call (else the run) does not list. Design, 4; engine rules, 2.
    """
    found: list[RunLanding] = []
    ledger: Ledger | None = None
    rules = _Rules(run, settings)
    for index, asker, position, call in _ran(run):
        asked_by = run.call(position)
        if not rules.offered(asked_by, call.name):
            continue
        mode = rules.mode(call.name)
        result, recorded_note = _delivered(run, run.messages[index], call.name)
        key = repeated_call_key(call.name, rules.counted(call), result, mode)
        landing = note_key(ledger, call.name, key, mode, threshold=settings.threshold)
        ledger = landing.ledger
        found.append(
            RunLanding(
                iteration=asked_by.iteration,
                tool=call.name,
                tool_call_id=call.id,
                key=key.key,
                occurrences=landing.occurrences,
                note=landing.note,
                args_fingerprint=key.args_fingerprint,
                result_fingerprint=key.result_fingerprint,
                mode=mode,
                message=index,
                call_message=asker,
                position=position,
                args=call.args,
                result=result,
                recorded_note=recorded_note,
            )
        )
    return found


def with_notes(run: Run, settings: Settings = Settings()) -> Run:  # noqa: B008 (frozen)
    """The run with its repeated-call notes in place, where its runtime appends them (`append_notes`), else as it is.

    A noted result keeps what the tool delivered in `delivered`, so doing it twice changes nothing. Design, 4.
    """
    if not run.append_notes:
        return run
    messages = list(run.messages)
    for landing in landings(run, settings):
        if landing.note is not None:
            content = landing.result + landing.note
            messages[landing.message] = replace(messages[landing.message], content=content, delivered=landing.result)
    return replace(run, messages=tuple(messages))


def _ran(run: Run) -> Iterator[tuple[int, int, int, ToolCall]]:
    """Each result that ran: its index, its asker's index, the position of the call that asked, and the tool call."""
    for index, pairing in enumerate(pair(run.messages)):
        if pairing is None or not run.messages[index].ran or run.entered[index] == 1:
            continue
        # A seeded question answered in this run has no asking call here: the call before its answer stands for it.
        asked = run.entered[pairing.message]
        position = (asked if asked > 1 else run.entered[index]) - 1
        yield index, pairing.message, position, run.messages[pairing.message].tool_calls[pairing.call]


def _delivered(run: Run, message: Message, tool: str) -> tuple[str, str | None]:
    if message.delivered is not None:
        noted = message.content.startswith(message.delivered) and message.content != message.delivered
        return message.delivered, message.content[len(message.delivered) :] if noted else None
    return (message.content, None) if run.append_notes else strip_note(message.content, tool)


class _Rules:
    """What a run declares and the settings change: which tools are offered, compared how, by which arguments."""

    def __init__(self, run: Run, settings: Settings) -> None:
        declared = {tool.name for tool in run.tools or () if tool.repeated_when == ARGUMENTS_MODE}
        reported = {event.tool for event in run.events.repeated_calls or () if event.mode == ARGUMENTS_MODE}
        self._by_arguments = (declared | reported | set(settings.arguments_only)) - set(settings.results_too)
        self._ignored = frozenset(settings.ignore_arguments)
        self._run_tools = run.tools
        self._names: dict[int, frozenset[str]] = {}

    def offered(self, call: Call, tool: str) -> bool:
        listed = call.tools if call.tools is not None else self._run_tools
        return listed is None or tool in self._names_of(listed)

    def mode(self, tool: str) -> str | None:
        return ARGUMENTS_MODE if tool in self._by_arguments else None

    def counted(self, call: ToolCall) -> Json:
        if not self._ignored or not isinstance(call.args, Mapping):
            return call.args
        return {
            name: value
            for name, value in call.args.items()
            if f"{call.name}.{name}" not in self._ignored and f"*.{name}" not in self._ignored
        }

    def _names_of(self, tools: tuple[Tool, ...]) -> frozenset[str]:
        # Calls of one run mostly share one list; the run keeps it alive, so its identity is a safe key.
        names = self._names.get(id(tools))
        if names is None:
            names = self._names[id(tools)] = frozenset(tool.name for tool in tools)
        return names
