# Everything a fresh machine with Python and make needs; the same in plain pip is in README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-long lint bench golden docs clean

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

test: lint
	$(BIN)/python -m pytest -m "not long"

test-long: $(STAMP)
	$(BIN)/python -m pytest

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
