"""What files given to a tab turn into: runs, pictures and bundles that state a view, lists to point at, problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard import links
from dashboard.library import Shelf, together, uploaded
from dashboard.links import DIGEST_HEAD, ViewState
from footprint_core.reports.state import state_of
from footprint_core.sources.detect import digest_of
from footprint_core.sources.unpack import ZIP_MARKS


@dataclass(frozen=True, slots=True)
class Intake:
    """What came of some files: a shelf, and the view that the last picture or bundle among them states, if any did.

    `told` says in a sentence what a picture asks for.
    """

    shelf: Shelf
    view: ViewState | None = None
    told: str = ""


def take_in(files: Sequence[tuple[str, bytes]]) -> Intake:
    """Everything in `files`, as (name, bytes). One file that cannot be read is one problem."""
    shelf = Shelf()
    stated: ViewState | None = None
    told = ""
    for name, data in files:
        state = state_of(data)
        if state is not None and data[:4] not in ZIP_MARKS:
            stated, told = view_of_state(state), f"{name} is a picture or report of one call: it opens that view."
            continue
        one = uploaded([(name, data)])
        if state is not None and one.studies:
            here = one.studies[0]
            stated = view_of_state(state).evolve(run=here.run.source.digest[:DIGEST_HEAD], number=here.number)
        shelf = together(shelf, one)
    return Intake(shelf, stated, told)


def view_of_state(state: Mapping[str, str]) -> ViewState:
    """The view a report's state names; what is out of its rule falls back, as in any link."""
    return links.from_query({name: [value] for name, value in state.items()})


def added(uploads: Shelf, new: Shelf) -> Shelf:
    """What a tab has uploaded and what came now; a file given again takes the place of itself."""
    digests = {study.run.source.digest for study in new.studies} | {one.digest for one in new.unknown}
    names = {problem.source for problem in new.problems}
    kept = Shelf(
        tuple(study for study in uploads.studies if study.run.source.digest not in digests),
        tuple(problem for problem in uploads.problems if problem.source not in names),
        unknown=tuple(one for one in uploads.unknown if one.digest not in digests),
    )
    return together(kept, new)


def after_upload(view: ViewState, taken: Intake) -> ViewState:
    """Where to go once files were given: to the view a picture states, to a single run, else the list.

    A link that waits for its file keeps waiting, unless a picture states another view.
    """
    if taken.view is not None:
        return taken.view
    if view.run is None and len(taken.shelf.studies) == 1 and not taken.shelf.problems and not taken.shelf.unknown:
        only = taken.shelf.studies[0]
        return view.evolve(run=only.run.source.digest[:DIGEST_HEAD], number=only.number)
    return view


def not_the_one(wanted: str | None, files: Sequence[tuple[str, bytes]]) -> str:
    """That none of `files` is the one a link waits for, with their digests; "" where one is, or none is waited for."""
    if wanted is None:
        return ""
    given = [(name, digest_of(data)) for name, data in files]
    if not given or any(digest.startswith(wanted) for _, digest in given):
        return ""
    said = ", ".join(f"{name} ({digest[:DIGEST_HEAD]})" for name, digest in given[:3])
    return f"Not the file of the link: {said}{' and more' if len(given) > 3 else ''}."
