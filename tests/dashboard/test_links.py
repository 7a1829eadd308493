"""Links: every view survives its URL and its command; bad values cost only themselves."""

import shlex

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import cli, links
from dashboard.links import ViewState

words = st.text(max_size=40)
names = st.lists(words, max_size=5)


def optional(strategy: st.SearchStrategy[int]) -> st.SearchStrategy[int | None]:
    return st.none() | strategy


views = st.builds(
    lambda **fields: ViewState().evolve(**fields),
    run=st.none() | st.from_regex(r"[0-9a-f]{8,64}", fullmatch=True),
    number=st.integers(-3, 200_000),
    pointer=st.sampled_from([None, "", "/data/0/messages", "/threads/*/log"]),
    call=optional(st.integers(-3, 20_000_000)),
    choice=st.sampled_from(links.CHOICES),
    keep=optional(st.integers(-3, 20_000)),
    pins=optional(st.integers(-3, 200)),
    threshold=optional(st.integers(-3, 2_000_000_000)),
    rules=st.none() | st.sampled_from(links.RULES),
    tab=st.sampled_from(links.TABS),
    message=st.none() | st.from_regex(r"n?[0-9]{1,7}", fullmatch=True),
    hidden=st.booleans(),
    gone=st.booleans(),
    against=st.sampled_from([None, "previous", "recorded", "none", "sliding-keep4-pins0-rules9.55", "tokens-over90"]),
    search=words,
    everywhere=st.booleans(),
    roles=st.lists(st.sampled_from(links.ROLES)),
    tools=names,
    states=st.lists(st.sampled_from(links.STATES)),
    arguments_only=names,
    results_too=names,
    repeats_at=st.integers(-3, 2000),
    sort=st.sampled_from(links.SORTS),
    kinds=names,
)


@given(views)
def test_a_view_survives_its_query(view: ViewState) -> None:
    """Reading the query of a view, split and joined as a browser does, gives the view."""
    assert links.from_query(links.split_query(links.url_query(view))) == view


@given(st.dictionaries(st.sampled_from([p.name for p in links.PARAMETERS]) | words, st.lists(words, max_size=3)))
def test_any_query_is_a_view(query: dict[str, list[str]]) -> None:
    """Whatever a query holds, it gives a view, and that view survives its own query."""
    view = links.from_query(query)
    assert links.from_query(links.to_query(view)) == view


@given(
    st.dictionaries(
        st.sampled_from([p.field for p in links.PARAMETERS]), st.none() | st.integers() | words | names | st.booleans()
    )
)
def test_evolving_with_anything_is_a_view(changes: dict[str, object]) -> None:
    """Whatever a browser sends as a field, the view that comes of it survives its query."""
    view = ViewState().evolve(**changes)
    assert links.from_query(links.to_query(view)) == view


@pytest.mark.parametrize(
    ("expected", "query"),
    [
        ("", ""),
        ("?run=41c9e07d5f21&call=8&keep=4", "?run=41c9e07d5f21&call=8&keep=4"),
        ("?call=8", "call=8&policy=recorded&tab=window&hide=0&n=1"),
        ("?keep=1", "keep=0"),
        ("?keep=9999", "keep=123456789"),
        ("", "keep=four"),
        ("", "keep=%D9%A4"),
        ("", "keep=99999999999999999999"),
        ("?pins=0", "pins=-1"),
        ("", "run=../../etc/passwd"),
        ("", "run=41C9E07D5F21"),
        ("", "message=12;drop"),
        ("?message=n8", "message=n8"),
        ("?role=tool", "role=tool&role=pirate&role=tool"),
        ("?q=a+b", "q=a+b"),
        ("?q=ab", "q=a%00%0Ab"),
        ("?tool=a&tool=b", "tool=a&tool=b"),
        ("", "colour=red"),
        ("", "repeats-at=1"),
    ],
)
def test_only_what_differs_is_written(expected: str, query: str) -> None:
    """A query is validated and clamped field by field, and only what differs from the default is written again."""
    assert links.url_query(links.from_query(links.split_query(query))) == expected


@given(views)
def test_a_view_survives_its_command(view: ViewState) -> None:
    """What the command line makes of the command is the view, but for the run, which is the file itself."""
    command = shlex.split(links.command(view, "run.json"))
    assert command[:2] == ["footprint", "open"]
    assert parse(command[2:]) == view.evolve(run=None)


def parse(arguments: list[str]) -> ViewState:
    """The view the command line would start with."""
    context = click.Context(cli.open_)
    paths = [at for at, word in enumerate(arguments) if word == "run.json"]
    cli.open_.parse_args(context, arguments[: paths[0]] + arguments[paths[0] + 1 :])
    given = context.params
    return cli.view_of(given["number"], given["view"], {name: given[name] for name in links.OPTIONS})


def test_a_command_reads_like_a_sentence() -> None:
    """The common figures have options of their own, in the order in which one would say them."""
    view = ViewState().evolve(run="41c9e07d5f21", call=8, keep=4, search="order 7")
    assert links.command(view, "my run.json") == "footprint open 'my run.json' --call 8 --keep 4 --view q=order+7"
