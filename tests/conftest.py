"""What holds for every test: examples have no deadline, and continuous integration draws the same ones each time."""

import os

from hypothesis import settings

settings.register_profile("any-machine", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "any-machine")
