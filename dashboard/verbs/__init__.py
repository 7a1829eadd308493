"""The verbs of the command line besides `open`. A verb's module imports only click; the rest comes when it runs."""

import importlib

import click

NAMES = ("show", "findings", "report", "card", "convert", "sweep", "scan", "check")


def add_to(group: click.Group) -> None:
    """Make every verb a command of `group`."""
    for name in NAMES:
        group.add_command(importlib.import_module(f"dashboard.verbs.{name}").command)
