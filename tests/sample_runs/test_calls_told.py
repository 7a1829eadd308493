"""The stories about calls hold as facts: what was asked again, what only looks new, and what is no fault."""

from collections import Counter

import pytest

from footprint_core import Settings, landings, recorded
from tests.hostile import HOSTILE, of_kind
from tests.sample_runs.samples import run_of


def counts(file: str, **settings: object) -> list[int]:
    """The occurrences of each landing of a sample, in order."""
    return [landing.occurrences for landing in landings(run_of(file), Settings(**settings))]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("filter-ignored.json", [1, 2, 1, 3, 1, 1]),
        ("kiln-polling.json", [1, 1, 1, 1, 1, 1, 1, 1]),
        ("stamped-screen.json", [1, 1, 1, 1, 1, 1]),
        ("order-lost.json", [1, 2, 1, 1, 1, 1, 2, 2]),
        ("mast-batch.json", [1, 1, 1, 2, 1, 1, 1, 1, 1, 2]),
        ("lost-luggage.json", [1, 1, 1, 2]),
        ("naive-trim.json", [1, 1, 1, 1, 2]),
    ],
)
def test_occurrences(expected: list[int], file: str) -> None:
    """The landings of a sample count as its story says."""
    assert counts(file) == expected


def test_a_filter_in_another_order_is_the_same_call() -> None:
    """Call 2 of the ignored filter spells the arguments in another order, and repeats call 1."""
    found = landings(run_of("filter-ignored.json"))
    assert list(found[0].args) != list(found[1].args)
    assert found[0].key == found[1].key
    assert found[2].result_fingerprint == found[0].result_fingerprint
    assert found[2].key != found[0].key


def test_the_note_comes_with_the_second_landing_only() -> None:
    """Of three identical landings the second earns the note."""
    found = landings(run_of("filter-ignored.json"))
    assert [landing.note is not None for landing in found] == [False, True, False, False, False, False]


def test_every_earlier_answer_was_in_view() -> None:
    """Nothing had left the window when the ignored filter was asked for again."""
    run = run_of("filter-ignored.json")
    trace = recorded(run)
    first, *again = [landing for landing in landings(run) if landing.key == landings(run)[0].key]
    assert [trace.in_window(first.message, landing.position) for landing in again] == [True, True]


def test_stamped_screens_are_one_landing_by_arguments() -> None:
    """Compared by arguments the five screens are one call made five times; compared by result they are five."""
    assert counts("stamped-screen.json", arguments_only=("screen",)) == [1, 1, 2, 3, 4, 5]


def test_stamped_screens_differ_in_their_stamps_only() -> None:
    """Between their two status lines the five screens are the same text."""
    screens = [landing.result for landing in landings(run_of("stamped-screen.json")) if landing.tool == "screen"]
    bodies = {"\n".join(line for line in text.splitlines()[3:-1]) for text in screens}
    assert (len(screens), len(set(screens)), len(bodies)) == (5, 5, 1)


def test_polling_answers_differ_in_words() -> None:
    """The kiln's seven states are told in different words, not in different stamps."""
    polls = [landing.result for landing in landings(run_of("kiln-polling.json")) if landing.tool == "kiln_state"]
    lasts = {text.splitlines()[-1] for text in polls}
    assert (len(polls), len(lasts)) == (7, 7)


def test_the_duplicate_stands_inside_one_batch() -> None:
    """The fourth call of the first batch repeats its first; both are landings of iteration 1."""
    found = landings(run_of("mast-batch.json"))
    assert (found[0].key, found[0].iteration) == (found[3].key, found[3].iteration)


def test_the_circle_of_the_stocktake() -> None:
    """Calls 64 to 69 are two calls in turn, three times over, with the same answers."""
    by_position = {landing.position: landing for landing in landings(run_of("parts-stocktake.json"))}
    keys = [by_position[position].key for position in range(64, 70)]
    assert keys == keys[:2] * 3
    assert keys[0] != keys[1]
    assert by_position[62].key != keys[0] != by_position[70].key


def test_little_else_repeats_in_the_stocktake() -> None:
    """Three keys landed more than once: the two of the circle, and the card of call 100."""
    tally = Counter(landing.key for landing in landings(run_of("parts-stocktake.json")))
    assert sorted(count for count in tally.values() if count > 1) == [2, 3, 4]


class TestLostLuggage:
    run = run_of("lost-luggage.json")

    def refused(self) -> list[int]:
        """The ledger indexes of the results that did not run."""
        return [at for at, message in enumerate(self.run.messages) if message.role == "tool" and not message.ran]

    def test_calls_3_and_5_read_the_skill_they_stand_in(self) -> None:
        """Both calls were made from trace-bag, with trace-bag as their argument, and were refused."""
        for at, position in zip(self.refused(), (3, 5), strict=True):
            asked = self.run.messages[at - 1].tool_calls[0]
            assert (asked.name, asked.args["id"]) == ("read_skill", self.run.call(position).skill)

    def test_the_skill_and_its_tools_were_on_those_calls(self) -> None:
        """What the answer denied was on the wire: the skill's own text and every tool it declares."""
        (skill,) = [skill for skill in self.run.skills if skill.id == "trace-bag"]
        for position in (3, 5):
            call = self.run.call(position)
            assert skill.body in call.system
            assert set(skill.tools) <= {tool.name for tool in call.tools}

    def test_refused_reads_are_no_landings(self) -> None:
        """The second refused read is no repeat of the first."""
        assert self.refused()
        assert not {landing.message for landing in landings(self.run)} & set(self.refused())

    def test_the_wrap_up_reads_the_old_answer_with_no_tools(self) -> None:
        """The last call is the wrap-up: an empty tool list, and both old answers in its window."""
        last = recorded(self.run).call(7)
        assert last.call.wrap_up
        assert last.tools == ()
        assert set(self.refused()) <= {entry.index for entry in last.entries}

    def test_the_answer_repeats_the_untruth(self) -> None:
        """The final answer says that the skill could not be reached."""
        assert "could not reach" in self.run.messages[-1].content


class TestStrangeContents:
    run = run_of("strange-contents.json")

    def test_every_hostile_text_is_in_it(self) -> None:
        """Each text of the shared list stands in some result, unchanged."""
        whole = "\n".join(message.content for message in self.run.messages)
        assert [one.name for one in HOSTILE if one.text not in whole] == []

    def test_one_result_is_100_000_characters(self) -> None:
        """The roll is as long as the title says."""
        assert max(message.chars for message in self.run.messages) == 100_000

    def test_half_a_fox_survives_the_file(self) -> None:
        """Lone surrogates come back from the file as they were told."""
        assert any("\ud83e" in message.content for message in self.run.messages if message.role == "tool")

    def test_a_tool_name_that_is_markup_is_never_printed_in_a_notice(self) -> None:
        """Notices name plain identifiers only; the record keeps the name as it is."""
        name = self.run.tools[1].name
        notices = [entry.message.content for call in recorded(self.run).calls for entry in call.entries if entry.notice]
        assert notices
        assert not any("<" in text for text in notices)
        held = [record.observations for record in self.run.records if record.observations]
        assert name in {pin.tool_name for one in held for pin in one.pinned}


@pytest.mark.parametrize("kind", ["markup", "link", "style", "hidden", "broken"])
def test_hostile_list_has_every_kind(kind: str) -> None:
    """No kind of hostile text is empty, and names are test ids: all different."""
    assert len(of_kind(kind)) >= 4
    assert len({one.name for one in HOSTILE}) == len(HOSTILE)
