"""The facts of each model call, read off the state just before it and the events about it. Recording format, 5."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from footprint_core.model import NOTHING, Call, Json, Skill, Tool, Usage, Window
from footprint_core.text import utf16_len


@dataclass(slots=True)
class CallFacts:
    """Makes calls; equal prompts, tool lists and skills are one object in memory, however often they are recorded."""

    repeated_when: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    _shared: dict[Any, Any] = field(default_factory=dict)
    _by_list: dict[int, tuple[Json, Any]] = field(default_factory=dict)

    def call(
        self,
        iteration: int,
        window: Window | None,
        state: Mapping[str, Json],
        start: Mapping[str, Json] | None,
        end: Mapping[str, Json] | None,
        *,
        stage_id: str | None,
        visit_stage_id: str | None = None,
    ) -> Call:
        """The call made in `state`; `start` and `end` are its events' payloads, None where they were not recorded."""
        wrap_up = state.get("wrapUpAsked") is True
        system = self.system(state)
        chars = (start or {}).get("systemPromptChars")
        if system is None and isinstance((start or {}).get("systemPromptText"), str):
            system = self._share((start or {})["systemPromptText"])
        return Call(
            iteration=iteration,
            window=window,
            tools=() if wrap_up else self.tools(state.get("dynamicToolSchemas"), (start or {}).get("tools")),
            system=system,
            system_chars=chars if _is_int(chars) else None if system is None else utf16_len(system),
            skill=_text(state.get("currentSkillId")),
            active_skills=self.skills(state.get("activeInjections")),
            wrap_up=wrap_up,
            model=_text((start or {}).get("model")) or self.model,
            stop_reason=_text((end or {}).get("stopReason")),
            duration_ms=_number((end or {}).get("durationMs")),
            stage_id=stage_id,
            visit_stage_id=visit_stage_id,
            extra=_kept(state, start),
        )

    def _share(self, value: Any) -> Any:
        return self._shared.setdefault(value, value)

    def _once(self, rows: Json, make: Any) -> Any:
        """`make(rows)`, made once for each list object: a state shares its lists with the next."""
        known = self._by_list.get(id(rows))
        if known is None:
            known = rows, self._share(make(rows))
            self._by_list[id(rows)] = known
        return known[1]

    def system(self, state: Mapping[str, Json]) -> str | None:
        """The system prompt as sent: the non-empty pieces, a blank line between; None where none was recorded."""
        pieces = state.get("systemPromptInjections")
        if not isinstance(pieces, list):
            return None
        prompt: str | None = self._once(pieces, _joined)
        return prompt

    def tools(self, schemas: Json, named: Json = None) -> tuple[Tool, ...] | None:
        """The tools offered, in request order: from the state's schemas, or else from the event's names."""
        rows = schemas if isinstance(schemas, list) else named
        if not isinstance(rows, list):
            return None
        tools: tuple[Tool, ...] = self._once(rows, self._tools)
        return tools

    def _tools(self, rows: list[Json]) -> tuple[Tool, ...]:
        named = (row for row in rows if isinstance(row, dict) and isinstance(row.get("name"), str))
        return tuple(
            Tool(
                row["name"],
                _text(row.get("description")) or "",
                self.repeated_when.get(row["name"]),
                row.get("inputSchema"),
            )
            for row in named
        )

    def skills(self, injections: Json) -> tuple[Skill, ...] | None:
        """The active injections, each with the tools it declares and its text; None where they were not recorded."""
        if not isinstance(injections, list):
            return None
        skills: tuple[Skill, ...] = self._once(injections, _skills)
        return skills


def _joined(pieces: list[Json]) -> str:
    texts = (piece.get("rawContent") for piece in pieces if isinstance(piece, dict))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def _skills(rows: list[Json]) -> tuple[Skill, ...]:
    return tuple(_skill(row) for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str))


def _skill(row: Mapping[str, Json]) -> Skill:
    inject = row.get("inject")
    inject = inject if isinstance(inject, dict) else {}
    declared = inject.get("tools")
    schemas = [tool.get("schema") for tool in declared if isinstance(tool, dict)] if isinstance(declared, list) else []
    names = tuple(
        schema["name"] for schema in schemas if isinstance(schema, dict) and isinstance(schema.get("name"), str)
    )
    extra = {key: row[key] for key in ("flavor", "description") if isinstance(row.get(key), str)}
    return Skill(row["id"], names, _text(inject.get("systemPrompt")), MappingProxyType(extra))


def _kept(state: Mapping[str, Json], start: Mapping[str, Json] | None) -> Mapping[str, Json]:
    """Small facts without a field: the provider, and messages that waited for a place to be delivered in."""
    extra: dict[str, Json] = {}
    provider = (start or {}).get("provider")
    if isinstance(provider, str):
        extra["provider"] = provider
    delivery = state.get("messagesDelivery")
    deferred = delivery.get("deferred") if isinstance(delivery, dict) else None
    if isinstance(deferred, list) and deferred:
        extra["deferred"] = [
            {key: row[key] for key in ("injectionId", "flavor", "role", "reason") if isinstance(row.get(key), str)}
            for row in deferred
            if isinstance(row, dict)
        ]
    return MappingProxyType(extra) if extra else NOTHING


class Totals(NamedTuple):
    """The tokens a run had used at one point, None where it keeps no count."""

    input: int | float | None
    output: int | float | None


def totals_of(state: Mapping[str, Json]) -> Totals:
    """The running totals in a state."""
    return Totals(_number(state.get("totalInputTokens")), _number(state.get("totalOutputTokens")))


UNCOUNTED = Totals(None, None)


def usage_of(end: Mapping[str, Json] | None, before: Totals = UNCOUNTED, after: Totals = UNCOUNTED) -> Usage | None:
    """The tokens of a call: as its event tells, or else by how much the run's totals grew; None where neither tells."""
    told = (end or {}).get("usage")
    if isinstance(told, dict):
        extra = {key: value for key, value in told.items() if key not in ("input", "output")}
        kept = MappingProxyType(extra) if extra else NOTHING
        return Usage(_number(told.get("input")), _number(told.get("output")), kept)
    given, made = _grown(before.input, after.input), _grown(before.output, after.output)
    return Usage(given, made) if given or made else None


def _grown(old: int | float | None, new: int | float | None) -> int | float | None:
    return None if old is None or new is None or new < old else new - old


_TOO_LARGE = 1e300  # JSON text may hold what no double does


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _is_int(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Json) -> int | float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _TOO_LARGE
    return value if number else None
