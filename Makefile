# Needs make and Python >= 3.11, nothing else. `make` lists what can be done.
.DEFAULT_GOAL := help
.PHONY: help setup test test-real test-long check format lint types bench demo lock clean
.DELETE_ON_ERROR:

# The first interpreter on the PATH that is new enough; `make PYTHON=/path/to/python3.13 test` names another.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python3.14 python3.15 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$name"; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
# More arguments for pytest: `make test ARGS="-k codex -x"`.
ARGS ?=

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: .venv/installed ## make .venv with the pinned packages and panscript itself

.venv/bin/python:
	@test -n "$(PYTHON)" && "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "panscript: needs Python 3.11 or newer (install one, or name it: make PYTHON=/path/to/python3.11)" >&2; exit 1; }
	@"$(PYTHON)" -m venv .venv || { rm -rf .venv; \
		echo "panscript: this Python cannot make a virtual environment (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }

# cli/__main__.py is copied at install time; everything else of ours is seen as it is.
.venv/installed: .venv/bin/python requirements.lock pyproject.toml cli/__main__.py
	$(PIP) install --require-hashes --requirement requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# Claude Code and Codex are programs of some 300 MB each.
LARGE_AGENTS := tests/real_agents/claude tests/real_agents/codex

test: setup ## run the tests, the ones that start the real Pi among them
	$(BIN)/python -m pytest $(LARGE_AGENTS:%=--ignore=%) $(ARGS)

test-real: setup ## the tests that start real agents, all of them (downloads about 700 MB the first time)
	$(BIN)/python -m pytest tests/real_agents $(ARGS)

test-long: setup ## the property tests with 20000 examples each (takes long)
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -m hypothesis $(ARGS)

check: setup ## everything a change must pass: format, lint, types, tests
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory lint types test

format: setup ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: setup ## ruff
	$(BIN)/ruff check .

types: setup ## mypy --strict
	$(BIN)/mypy

bench: setup ## measure speed and memory
	$(BIN)/python benchmarks/run.py $(ARGS)

CLAUDE_DEMO := fixtures/claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000002.jsonl
CODEX_DEMO := fixtures/codex/home-0.171.0/sessions/2026/11/30/rollout-2026-11-30T06-00-59-01a22b0a-d1e8-77c3-9fed-bef152ce32c4.jsonl

demo: setup ## turn a Claude Code and a Codex session into Pi sessions, in demo-output/
	@rm -rf demo-output && mkdir demo-output
	$(BIN)/panscript convert $(CLAUDE_DEMO) --to pi -o demo-output
	$(BIN)/panscript convert $(CODEX_DEMO) --to pi -o demo-output
	@find demo-output -type f | sort | while IFS= read -r file; do \
		printf '\n%s (%s records)\n' "$$file" "$$(wc -l < "$$file" | tr -d ' ')"; \
		$(BIN)/python -c 'import itertools, sys; [print("  " + line.rstrip()[:150]) for line in itertools.islice(sys.stdin, 4)]' < "$$file"; \
		printf '\n'; \
		NO_COLOR=1 $(BIN)/panscript show "$$file" | sed -n '1,20 s/^/  | /p'; \
	done

lock: ## write requirements.lock anew from pyproject.toml (`ARGS=--upgrade` takes newer versions)
	@test -x .venv-lock/bin/uv || { "$(PYTHON)" -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet 'uv>=0.9'; }
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--group dev --output-file requirements.lock $(ARGS) pyproject.toml

clean: ## remove .venv, caches and what was built
	rm -rf .venv .venv-lock .hypothesis .mypy_cache .pytest_cache .ruff_cache .coverage build dist demo-output
	find schemas readers stages writers cli tests -type d -name __pycache__ -prune -exec rm -rf {} +
