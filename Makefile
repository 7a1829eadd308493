# run, test, check, fix, bench, mutants: the everyday verbs. Each sets up what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
RUNS ?= sample_runs

.PHONY: run test check fix bench mutants clean
.DEFAULT_GOAL := run

run: .venv/installed          ## open the dashboard on sample_runs/ (or RUNS=path)
	$(BIN)/footprint open $(RUNS)

test: .venv/installed-tests   ## run every test; browser tests skip where there is no Chromium
	$(BIN)/pytest -n 2 --dist loadgroup

check: .venv/installed-tests  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fix: .venv/installed-tests    ## format and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/installed-tests  ## print the figures of the budgets, ratios first
	$(BIN)/python -m tests.benchmarks

mutants: .venv/installed-tests ## make each known mistake on purpose and name the test that catches it
	$(BIN)/python -m tests.mutations

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-tests: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

clean:
	rm -rf .venv
