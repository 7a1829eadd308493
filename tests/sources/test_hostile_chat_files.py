"""Whatever a file holds, the chat readers answer with runs or with an error that teaches; never with anything else."""

import contextlib
import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footprint_core.errors import SourceError
from footprint_core.sources import (
    anthropic_messages,
    claude_code,
    codex_rollout,
    langchain,
    openai_chat,
    openai_responses,
)
from tests.sources import (
    test_anthropic_messages,
    test_langchain,
    test_openai_chat,
    test_openai_responses,
    test_request_logs,
)
from tests.sources.making import json_document, lines_document
from tests.sources.test_claude_code import Session, read_call, text

READERS = (claude_code, codex_rollout, langchain, openai_responses, anthropic_messages, openai_chat)
STRANGE = [
    None,
    True,
    0,
    -1,
    1e300,
    "",
    "x",
    "\ud800",
    "{",
    "[]",
    [],
    [[]],
    {},
    {"type": "text"},
    {"role": "user"},
    [None],
]


def _session():
    s = Session()
    s.user("Go.")
    s.answer("m1", text("I read."), read_call(1))
    s.result("t1", "x", toolUseResult={"agentId": "a"})
    s.compact("Summary.", preservedSegment={"headUuid": "s1-1", "tailUuid": "s1-3"})
    s.row("system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": ["t1"]})
    s.answer("m2", text("Done."))
    return [*s.rows, {"type": "summary", "summary": "t", "leafUuid": "s1-1"}]


GOOD = {
    "a session": _session(),
    "a chat": [{"messages": test_openai_chat.CHAT, "tools": test_request_logs.TOOLS, "id": "1"}] * 2,
    "blocks": [{"messages": test_anthropic_messages.CHAT, "system": "s"}] * 2,
    "an editor's history": [test_anthropic_messages.CLINE] * 2,
    "a log": test_request_logs.ROWS,
    "a spend log": [test_request_logs.SPELLINGS["a spend log"](row) for row in test_request_logs.ROWS],
    "a streamed log": [test_request_logs.SPELLINGS["streamed"](row) for row in test_request_logs.ROWS],
    "a state": [{"messages": test_langchain.SPELLINGS["dumpd"]}] * 2,
    "a flat state": [{"messages": test_langchain.SPELLINGS["model dump"]}] * 2,
    "a trace": test_langchain.RUNS,
    "items": test_openai_responses.ITEMS,
    "a log of responses": test_openai_responses.LOGS["new items only"],
    "a rollout": [
        {"timestamp": "t", "type": kind, "payload": payload}
        for kind, payload in (
            test_openai_responses.META,
            test_openai_responses.CONTEXT,
            *(("response_item", item) for item in test_openai_responses.ITEMS),
            ("compacted", {"message": "s", "replacement_history": test_openai_responses.ITEMS[:3]}),
            ("response_item", test_openai_responses.DONE),
        )
    ],
    "a stream": list(test_anthropic_messages._events()),
}


def _places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


def _opens(made):
    for reader in READERS:
        if reader.recognise(made):
            with contextlib.suppress(SourceError):
                for run in reader.read(made).runs:
                    assert len(run.entered) == len(run.messages)
                    assert all(isinstance(message.content, str) for message in run.messages)


@pytest.mark.parametrize("rows", GOOD.values(), ids=GOOD)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_parts_replaced_by_strange_values_never_break_a_reader(rows, seed):
    """Any one to three parts of a good file may be anything at all: the rest opens, or an error says what is wrong."""
    chance = random.Random(seed)
    rows = copy.deepcopy(rows)
    for _ in range(chance.randint(1, 3)):
        *above, last = chance.choice([path for path in _places(rows) if path])
        target = rows
        for key in above:
            target = target[key]
        if isinstance(target, dict) and chance.random() < 0.3:
            del target[last]
        else:
            target[last] = copy.deepcopy(chance.choice(STRANGE))
    with contextlib.suppress(SourceError):
        _opens(lines_document(*rows))
    _opens(json_document(rows))


WORDS = [
    *("role", "content", "messages", "type", "tool_calls", "id", "request", "response", "choices", "message", "uuid"),
    *("parentUuid", "sessionId", "function", "name", "input", "tool_use_id", "text", "delta", "index", "body"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["user", "assistant", "tool", "text", "x", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(WORDS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=400, deadline=None)
@given(JSON)
def test_any_json_of_known_words_is_answered(value):
    """JSON made of the formats' own words in any arrangement is read, refused with an error, or not recognised."""
    _opens(json_document(value))


def test_a_content_that_nests_deeply_is_no_trouble():
    """A content of hundreds of levels costs that content."""
    deep = json.loads("[" * 250 + "]" * 250)
    (run,) = openai_chat.read(
        json_document({"messages": [{"role": "user", "content": {"k": deep}}, test_openai_chat.SAY]})
    ).runs
    assert len(run.messages) == 2
