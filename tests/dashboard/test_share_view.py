"""Sharing: hidden unless chosen otherwise, counted before it is saved, and no path of this machine in it."""

import io
import json
import zipfile

import pytest

from dashboard.handout import HANDOUTS
from dashboard.links import ViewState
from dashboard.panels.share import share_data
from dashboard.views.share import ARTEFACTS, LEVEL_CHOICES, ShareSource, asked_level
from dashboard.views.share_preview import contents_of, preview
from dashboard.views.study import Study
from footprint_core.policy import Policy, Settings
from footprint_core.reports.state import state_of
from footprint_core.reports.veil import FINGERPRINT_WARNING
from footprint_core.sources.opened import open_runs
from tests.dashboard.runs import run_of, study_of

SECRET = "hunter2-QuietOrchard"
MAIL = "ada@orchard.example"


def secret_study() -> Study:
    """A run whose result holds a password, an address and a path."""
    messages = [
        {"role": "user", "content": f"Mail {MAIL} please."},
        {"role": "assistant", "content": "", "toolCalls": [{"id": "c1", "name": "read", "args": {"file": "/etc/pw"}}]},
        {"role": "tool", "toolCallId": "c1", "content": f"password: {SECRET}"},
        {"role": "assistant", "content": "Done."},
    ]
    return Study(run_of(messages=messages, calls=[{"iteration": 1}, {"iteration": 2}], request=None))


def source_of(study: Study, call: int | None = 2) -> ShareSource:
    """What is handed on of the run as it was."""
    return ShareSource(study, study.own, call, Settings())


def text_of(data: bytes) -> str:
    """Everything legible in an artefact, members of an archive included."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "".join(text_of(archive.read(name)) for name in archive.namelist())
    return data.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("level", "prints", "asked"),
    [
        ("everything", False, {}),
        ("everything", False, {"hide": "all of it"}),
        ("everything", True, {"hide": "everything", "fingerprints": "1"}),
        ("results", False, {"hide": "results", "fingerprints": "yes"}),
        ("matches", False, {"hide": "matches", "fingerprints": "1"}),
        ("nothing", False, {"hide": "nothing", "fingerprints": "1"}),
    ],
)
def test_an_unknown_level_hides_everything(level: str, prints: bool, asked: dict[str, str]) -> None:
    """What a browser asks is taken only where it is a known word; fingerprints are of hidden values only."""
    assert asked_level(asked) == (level, prints)


@pytest.mark.parametrize("name", ARTEFACTS)
def test_every_artefact_hides_contents_by_default(name: str) -> None:
    """Asked for without a level, no artefact holds a content; shown by choice, the texts do."""
    source = source_of(secret_study())
    hidden = source.answer(name, {})
    assert hidden is not None
    if hidden.status == 501:
        pytest.skip("resvg_py is not installed")
    assert hidden.status == 200
    assert SECRET not in text_of(hidden.data)
    assert MAIL not in text_of(hidden.data)
    assert hidden.file.startswith(f"footprint-{source.study.run.source.digest[:8]}")
    assert hidden.file.endswith(f"-hidden.{ARTEFACTS[name].suffix}")
    if name not in ("card.png",):
        shown = source.answer(name, {"hide": "nothing"})
        assert shown is not None
        assert SECRET in text_of(shown.data)
        assert shown.file.endswith(f"-shown.{ARTEFACTS[name].suffix}")


def test_a_card_states_the_view_it_shows() -> None:
    """The picture of a hypothetical call carries the state that opens it again, and its name says what it is."""
    study = study_of()
    trace = study.replayed(Policy(strategy="sliding-window", keep_recent_turns=3, keep_last_tool_results=0))
    assert not isinstance(trace, str)
    found = ShareSource(study, trace, 4, Settings()).answer("card.svg", {})
    assert found is not None
    assert state_of(found.data) == {"run": study.run.source.digest[:12], "call": "4", "keep": "3"}
    assert "-call-4-what-if-hidden" in found.file


def test_a_bundle_opens_again() -> None:
    """The bundle's run has the windows of the run it was made of."""
    source = source_of(secret_study())
    found = source.answer("bundle.zip", {})
    assert found is not None
    again = open_runs(found.data, name="bundle.zip")
    assert len(again.runs[0].calls) == len(source.study.run.calls)


@pytest.mark.parametrize(
    ("counts", "level"),
    [
        (["3 contents and 1 set of arguments hidden"], "everything"),
        (["1 result and 1 set of arguments hidden", "2 other contents shown"], "results"),
        (
            ["1 secret, 1 e-mail address and 1 path masked", "3 contents and 1 set of arguments shown besides"],
            "matches",
        ),
        (["3 contents and 1 set of arguments shown"], "nothing"),
    ],
)
def test_the_preview_counts_before_anything_is_saved(counts: list[str], level: str) -> None:
    """How much a level hides and shows of this run, in words."""
    assert preview(secret_study(), level, False)["counts"] == counts  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("warned", "level", "prints"),
    [
        ([], "everything", False),
        ([FINGERPRINT_WARNING], "everything", True),
        (["What people and the model said is shown, whatever stands in it."], "results", False),
        (["The search for secrets is a heuristic. Look at the preview before you post it."], "matches", False),
        (
            ["Shown as recorded, with what looks like 1 secret, 1 e-mail address and 1 path."],
            "nothing",
            False,
        ),
    ],
)
def test_each_level_warns_of_what_it_shows(warned: list[str], level: str, prints: bool) -> None:
    """What may go wrong at a level is said before it is saved."""
    assert preview(secret_study(), level, prints)["warnings"] == warned  # type: ignore[arg-type]


def test_the_preview_is_no_leak() -> None:
    """The counts and sentences of every level hold no content."""
    source = source_of(secret_study())
    for choice in LEVEL_CHOICES:
        found = source.answer("preview.json", {"hide": choice.level})
        assert found is not None
        assert SECRET not in text_of(found.data)
        assert json.loads(found.data)["level"] == choice.level


def test_what_is_found_is_counted_once_a_value() -> None:
    """A value that stands in many messages is one."""
    messages = [{"role": "user", "content": f"{MAIL} and again {MAIL}"}, {"role": "assistant", "content": f"to {MAIL}"}]
    study = Study(run_of(messages=messages, calls=[{"iteration": 1}], request=None))
    assert contents_of(study).found == {"email": 1}


def test_the_link_and_the_command_name_no_path() -> None:
    """The command names the file by its name alone, the link by its digest; both stand at the call and its policy."""
    study = study_of()
    data = share_data(study, ViewState(run=study.run.source.digest[:12], keep=2, call=4, tab="share"), "a-tab")
    assert data["command"] == "footprint open lunch.json --call 4 --keep 2"
    assert data["query"] == f"?run={study.run.source.digest[:12]}&call=4&keep=2"
    assert data["hypothetical"]
    source = HANDOUTS.get(data["path"].rsplit("/", 1)[1])
    assert isinstance(source, ShareSource)
    assert (source.call, source.trace.policy.keep_recent_turns if source.trace.policy else 0) == (4, 2)


def test_a_run_without_calls_is_handed_on_whole() -> None:
    """Where there is no call there is no report of one."""
    study = Study(run_of(messages=[{"role": "user", "content": "Hello?"}], calls=[], request=None))
    data = share_data(study, ViewState(), "a-tab")
    assert data["call"] is None
    assert "report.html" not in {one["name"] for one in data["artefacts"]}
    found = source_of(study, None).answer("card.svg", {})
    assert found is not None
    assert found.status == 200
