"""What holds for every test: examples have no deadline, and continuous integration draws the same ones each time."""

import os

from hypothesis import Phase, settings

settings.register_profile("any-machine", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
# For mutants: the same examples each time too, and none made smaller once it failed.
settings.register_profile(
    "mutants", deadline=None, phases=(Phase.explicit, Phase.generate), derandomize=True, database=None
)
settings.load_profile("ci" if os.environ.get("CI") else "any-machine")
