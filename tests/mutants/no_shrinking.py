"""A pytest plugin for mutants: the same random examples every time, and none made smaller once it failed."""

from hypothesis import Phase, settings

settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate), derandomize=True, database=None)
settings.load_profile("mutants")
