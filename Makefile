# Every target does its own set-up; nothing is needed beside Python (>= 3.11), make and the package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
# One worker more than there are cores: while one waits for a process that it started or killed, another works.
WORKERS = $(shell expr $$($(BIN)/python -c 'import os; print(os.cpu_count())') + 1)
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

.PHONY: demo test quick soak check docs bench lock clean
.DEFAULT_GOAL := demo
# Modules are compiled once, not at every start.
unexport PYTHONDONTWRITEBYTECODE

# What the best method compiles on first use is compiled here, so that the first run does not wait for it.
$(VENV)/run: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install -U pip
	@$(PIP) install -c constraints.txt -e .
	@$(BIN)/python -m tacit.methods.tables._local.ahead
	@touch $@

$(VENV)/develop: $(VENV)/run
	@$(PIP) install -c constraints.txt -e '.[excel,statistics]' --group dev
	@touch $@

# Other compiled searches: once, not by each worker for itself.
$(VENV)/compiled: $(VENV)/develop
	@$(BIN)/python -m pytest -n 2 -qq tests/test_catalogue.py -k "tables/local or tables/freeform" >/dev/null || true
	@touch $@

demo: $(VENV)/run            ## protect an invented register, ask about it, print what comes out
	@$(BIN)/tacit demo -o demo

test: $(VENV)/compiled        ## all tests but the long forms
	$(PYTEST)

quick: $(VENV)/compiled       ## the tests that take no time to speak of, with few examples
	$(PYTEST) -m "not slow and not soak" --hypothesis-profile quick

soak: $(VENV)/compiled        ## long forms: ten times as many examples and draws of what has them
	$(PYTEST) -m "" --hypothesis-profile soak --timeout 3600

check: $(VENV)/develop       ## format, lint, types, the generated reference; import layers are a test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python docs/generate.py --check

docs: $(VENV)/run            ## write the parts of the reference that come from the code
	$(BIN)/python docs/generate.py

bench: $(VENV)/develop       ## measure against the targets, write docs/benchmarks.md
	$(BIN)/python -m bench

lock: $(VENV)/develop        ## pin what is installed now
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
