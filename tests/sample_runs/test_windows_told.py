"""The stories about windows hold as facts: what left, what it cost, and which setting would have kept it."""

from dataclasses import replace

import pytest

from footprint_core import Policy, Run, recorded, replay
from footprint_core.window.trace import WindowTrace
from tests.sample_runs.samples import run_of, runs_of


def sliding(keep: int, **figures: object) -> Policy:
    """A sliding window of `keep` turns."""
    return Policy(strategy="sliding-window", keep_recent_turns=keep, **figures)


def result_of(run: Run, call_id: str) -> int:
    """The ledger index of the result of a tool call."""
    return next(at for at, message in enumerate(run.messages) if message.tool_call_id == call_id)


def written(run: Run, position: int) -> str:
    """What the model wrote on a call, arguments included."""
    at = run.entered.index(position + 1)
    message = run.messages[at]
    return message.content + "".join(str(call.args) for call in message.tool_calls)


class TestOrderLost:
    run = run_of("order-lost.json")

    def test_call_8_repeats_call_4(self) -> None:
        """Calls 4 and 8 ask the same and are told the same."""
        first, again = (self.run.messages[result_of(self.run, call)] for call in ("c4", "c8"))
        asks = [call for message in self.run.messages for call in message.tool_calls if call.id in ("c4", "c8")]
        assert asks[0].args == asks[1].args == {"id": "o-5521"}
        assert again.content.startswith(first.content)

    def test_the_first_answer_left_just_before_call_8(self) -> None:
        """The answer of call 4 stood in calls 5 to 7 and not in call 8."""
        trace = recorded(self.run)
        assert trace.presence(result_of(self.run, "c4")) == ((5, 7),)
        assert result_of(self.run, "c4") in [entry.index for entry in trace.call(8).left]

    @pytest.mark.parametrize(("keep", "kept"), [(1, False), (2, False), (3, True), (4, True), (5, True), (9, True)])
    def test_a_depth_of_4_would_have_kept_it(self, keep: int, kept: bool) -> None:
        """From keepRecentTurns 4 on call 4 is a kept turn of call 8; at 3 an old notice leaves in its stead."""
        assert replay(self.run, sliding(keep)).in_window(result_of(self.run, "c4"), 8) is kept

    def test_no_notice_stood_where_it_left(self) -> None:
        """The answer left from the middle of the window, so call 8 was told nothing of it."""
        call = recorded(self.run).call(8)
        assert call.notice is None
        assert [entry for entry in call.entries if entry.notice] == []

    def test_the_pins_hold_the_last_results_of_the_two_lookups(self) -> None:
        """Before call 8 the last results of get_order and list_orders are held, and nothing else."""
        record = recorded(self.run).call(8).record
        assert [pin.tool_name for pin in record.observations.pinned] == ["get_order", "list_orders"]


class TestInventedBooking:
    run = run_of("invented-booking.json")
    told, invented = "HB-70931", "HB-70913"

    def test_the_booking_left_before_call_5(self) -> None:
        """The only message that names the booking is in calls 3 and 4 alone."""
        (at,) = [n for n, message in enumerate(self.run.messages) if self.told in message.content]
        assert recorded(self.run).presence(at) == ((3, 4),)

    def test_the_number_used_later_was_told_by_no_tool(self) -> None:
        """Call 6 and the answer name a booking that no tool result holds."""
        assert self.invented in written(self.run, 6)
        assert self.invented in written(self.run, 8)
        assert not any(self.invented in message.content for message in self.run.messages if message.role == "tool")

    def test_the_gate_code_is_wrong_too(self) -> None:
        """The answer swaps two digits of the gate code that left with the booking."""
        assert "4862" in self.run.messages[result_of(self.run, "c2")].content
        assert "4682" in written(self.run, 8)
        assert "4862" not in written(self.run, 8)

    @pytest.mark.parametrize(
        ("kept", "keep", "pins"), [(False, 2, 0), (False, 3, 0), (True, 4, 0), (True, 2, 1), (False, 2, 2)]
    )
    def test_what_would_have_kept_it(self, kept: bool, keep: int, pins: int) -> None:
        """Four turns deep, or with one pin, call 6 is sent the booking; two pins block each other and stand down."""
        policy = sliding(keep, keep_last_tool_results=pins)
        assert replay(self.run, policy).in_window(result_of(self.run, "c2"), 6) is kept


class TestGlasshouseNight:
    old, new = run_of("glasshouse-night-955.json"), run_of("glasshouse-night-957.json")

    def test_both_nights_are_the_same_messages(self) -> None:
        """The two files differ in the rules and in nothing that was said."""
        assert self.old.messages == self.new.messages
        assert (self.old.policy.rules, self.new.policy.rules) == ("9.55", "9.57")

    def test_under_955_nothing_ever_leaves_and_the_window_grows(self) -> None:
        """From call 3 on every engaged visit is refused for the same turn, and every window is larger than the last."""
        trace = recorded(self.old)
        stuck = [record for record in trace.records if record.iteration >= 3]
        assert len(stuck) == 8
        assert {record.removed_message_count for record in stuck} == {0}
        assert {(r.refusals[0].reason, r.refusals[0].turn_index) for r in stuck} == {("replacement-not-smaller", 1)}
        sizes = [call.policy_chars for call in trace.calls]
        assert sizes == sorted(set(sizes))

    def test_the_refused_span_is_48_characters(self) -> None:
        """The whole window is held by a span of 48 characters, less than any notice."""
        trace = replay(self.old, self.old.policy)
        assert {trace.call(n).visit.plan.span_chars for n in range(3, 11)} == {48}

    def test_under_957_the_small_span_leaves_and_the_window_stays_small(self) -> None:
        """Before call 3 the span leaves without a notice; no later window reaches a third of the stuck one."""
        trace = recorded(self.new)
        assert [entry.index for entry in trace.call(3).left] == [1, 2]
        assert trace.call(3).notice is None
        stuck = recorded(self.old).call(10).policy_chars
        assert max(call.policy_chars for call in trace.calls) * 3 < stuck

    def test_the_rules_alone_make_the_difference(self) -> None:
        """Replaying the stuck night under the newer rules gives the windows of the other night."""
        assert replay(self.old, self.new.policy).windows == replay(self.new, self.new.policy).windows


class TestCanteenBudget:
    run = run_of("canteen-budget.json")

    def test_it_engages_after_the_first_call_over_the_threshold(self) -> None:
        """Calls 1 to 4 are below 600 input tokens, call 5 is above, and call 6 has the first record."""
        used = [call.usage.input for call in self.run.calls]
        assert max(used[:4]) <= 600 < used[4]
        assert self.run.records[0].iteration == 6
        assert self.run.records[0].measured_tokens == used[4]

    def test_it_rests_after_a_call_below_the_threshold(self) -> None:
        """Call 8 is below the threshold again, so nothing is asked before call 9."""
        assert self.run.calls[7].usage.input <= 600
        assert 9 not in [record.iteration for record in self.run.records]

    def test_the_recipe_that_left_is_asked_for_again(self) -> None:
        """Call 8 reads the goulash recipe again, which had left before call 6."""
        trace = recorded(self.run)
        assert trace.presence(result_of(self.run, "c1"))[-1][1] == 5
        assert self.run.messages[result_of(self.run, "c8")].content.startswith(
            self.run.messages[result_of(self.run, "c1")].content
        )


class TestNaiveTrim:
    run = run_of("naive-trim.json")

    def test_call_4_opens_with_an_answer_without_its_call(self) -> None:
        """The first message of call 4's window is a tool's answer, and its call is not in the window."""
        entries = recorded(self.run).call(4).entries
        first = entries[0].message
        assert first.role == "tool"
        assert first.tool_call_id not in {call.id for entry in entries for call in entry.message.tool_calls}

    def test_the_request_is_sent_three_times_only(self) -> None:
        """The request stands in the windows of calls 1 to 3."""
        assert recorded(self.run).presence(0) == ((1, 3),)


class TestPartsStocktake:
    run = run_of("parts-stocktake.json")

    def test_it_is_long(self) -> None:
        """120 calls and a window that never holds more than a dozen messages."""
        trace = recorded(self.run)
        assert len(trace) == 120
        assert max(len(call.entries) for call in trace.calls) <= 14

    def test_call_100_asks_what_call_2_had_told(self) -> None:
        """The card read on call 2 had left long before call 100 reads it again."""
        asked = [call.args for message in self.run.messages for call in message.tool_calls if call.id in ("c2", "c100")]
        assert asked[0] == asked[1]
        assert not recorded(self.run).in_window(result_of(self.run, "c2"), 100)


class TestPuppetSession:
    first, second, third = runs_of("puppet-session.jsonl")

    def test_three_runs_of_one_session(self) -> None:
        """The three runs share the session and nothing else of their names."""
        assert {run.session_id for run in (self.first, self.second, self.third)} == {"paper-moon-s-19"}

    @pytest.mark.parametrize(("before", "after"), [(first, second), (second, third)])
    def test_a_later_run_starts_with_the_window_before_it(self, before: Run, after: Run) -> None:
        """Its first messages are the last window of the run before, notice included, and that run's answer."""
        last = recorded(before).call(len(before.calls))
        handed = [entry.message.content for entry in last.entries] + [before.messages[-1].content]
        seeded = [message.content for at, message in zip(after.entered, after.messages, strict=True) if at == 1]
        assert seeded == [*handed, after.request]

    def test_the_notice_of_the_first_run_is_a_message_of_the_second(self) -> None:
        """It stands in the second run's ledger and leaves like any old turn."""
        (at,) = [n for n, message in enumerate(self.second.messages) if message.content.startswith("[dropped history")]
        assert at in [entry.index for entry in recorded(self.second).call(1).left]

    def test_only_an_answer_carries_the_booking_on(self) -> None:
        """What call 1 of the third run is sent of the booking is the second run's answer alone."""
        holders = [
            entry.message for entry in recorded(self.third).call(1).entries if "PM-20417" in entry.message.content
        ]
        assert [message.role for message in holders] == ["assistant"]


class TestCranePermit:
    paused, resumed = run_of("crane-paused.json"), run_of("crane-resumed.json")

    def test_the_paused_run_ends_with_a_call_without_an_answer(self) -> None:
        """Its last message asks the foreman, and no message answers."""
        last = self.paused.messages[-1]
        assert [call.id for call in last.tool_calls] == [self.paused.paused_tool_call_id]
        assert not any(message.tool_call_id == "c3" for message in self.paused.messages)

    def test_the_resumed_run_goes_on_counting(self) -> None:
        """Its iterations start where the paused run stopped, with that run's records before its own."""
        assert [call.iteration for call in self.resumed.calls] == [4, 5, 6, 7]
        assert self.resumed.prior_records == self.paused.records
        assert [record.iteration for record in self.resumed.records] == [4, 5, 6, 7]

    @pytest.mark.parametrize("position", [2, 3, 4])
    def test_the_foremans_answer_is_held_by_the_pause(self, position: int) -> None:
        """Before each call from 5 on the asking turn is old enough to leave and refuses as paused."""
        trace: WindowTrace = recorded(self.resumed)
        answer = result_of(self.resumed, "c3")
        entry = next(entry for entry in trace.call(position).entries if entry.index == answer)
        assert trace.call(position).why(entry).reason == "paused-tool"

    def test_without_the_pause_it_would_leave(self) -> None:
        """The same run that is not paused sends the answer once only."""
        free = replace(self.resumed, paused_tool_call_id=None)
        assert replay(free, free.policy).presence(result_of(free, "c3")) == ((1, 1),)


class TestMastBatch:
    run = run_of("mast-batch.json")

    def test_the_batch_leaves_as_one_turn(self) -> None:
        """The asking message and its four answers leave together, before call 4."""
        assert [entry.index for entry in recorded(self.run).call(4).left] == [1, 2, 3, 4, 5]

    def test_one_pin_a_turn(self) -> None:
        """However many results a batch holds, it is held once."""
        record = recorded(self.run).call(3).record
        assert [(pin.tool_name, pin.turn_index) for pin in record.observations.pinned] == [("read_mast", 1)]
