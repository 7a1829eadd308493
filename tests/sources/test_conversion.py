"""Converting a file to the native format loses nothing: whatever a reader made, the written run is equal."""

from dataclasses import replace

import pytest

from footprint_core.model import Source
from footprint_core.sources.detect import read_document
from footprint_core.sources.opened import open_runs
from footprint_core.sources.run_file import read_run
from footprint_core.sources.write_run import run_to_bytes, run_to_json
from footprint_core.window.recorded import recorded
from tests.sources import making_spans as spans
from tests.sources.making import TRANSCRIPTS, json_document
from tests.sources.making_formats import WHOLE

INVENTED = WHOLE | {
    "telemetry": lambda: spans.export(*spans.story_spans(), spans.agent()),
    "telemetry without content": lambda: spans.export(spans.span(1, spans.EVENT_FACTS), spans.agent()),
}


def elsewhere(run):
    """A run without where it stood: a written file has a name and a place of its own."""
    source = replace(run.source, name="", digest="", place="")
    return replace(run, source=source)


def held(run):
    """Holds a run to its written form."""
    written = read_run(run_to_json(run), Source())
    assert elsewhere(written) == elsewhere(run)
    (again,) = open_runs(run_to_bytes(run), name="run.json").runs
    assert recorded(again).windows == recorded(run).windows


@pytest.mark.parametrize("name", INVENTED)
def test_an_invented_file_is_converted_without_loss(name):
    """Every invented file of every format, written as a run file, reads back equal, with the same windows."""
    for run in read_document(json_document(INVENTED[name]())).runs:
        held(run)


def test_real_files_are_converted_without_loss():
    """Every real file that opens, written as a run file, reads back equal, with the same windows."""
    if not TRANSCRIPTS.exists():
        pytest.skip("the shared transcripts are not beside this repository")
    opened = open_runs(TRANSCRIPTS)
    assert len(opened.runs) > 90
    for run in opened.runs:
        held(run)
