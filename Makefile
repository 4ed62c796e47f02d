# Everything a fresh machine with Python and make needs; the same in plain pip is in README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: demo prepare test test-long test-versions lint bench golden docs clean

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed (make PYTHON=python3.12)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt torch
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[train,dev]'
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/python -m concilium.training.demo

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# lint, and what is compiled once for all workers, each on a core of its own
prepare: $(STAMP)
	$(BIN)/python -m tests.warm believers & \
	{ $(BIN)/python -m tests.warm chancellors nicaea && $(MAKE) --no-print-directory lint; } && wait $$!

test: prepare
	$(BIN)/python -m pytest -m "not long" -n $(WORKERS) --dist worksteal

test-long: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# some of the tests with the lowest declared versions and with the newest, in environments of their own
test-versions:
	$(PYTHON) -m tests.versions lowest newest

bench: $(STAMP)
	$(BIN)/concilium bench chancellors
	$(BIN)/concilium bench chancellors --training
	$(BIN)/concilium bench nicaea
	$(BIN)/concilium bench believers
	$(BIN)/concilium bench believers --bots

golden: $(STAMP)
	$(BIN)/python -m pytest tests/golden --regenerate-golden

docs: $(STAMP)
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) build dist *.egg-info
