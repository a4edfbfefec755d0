# Everything that work on lakechunk needs. `make` alone lists the targets.

VENV ?= .venv
VENV_PYTHON := $(VENV)/bin/python
# The Java that the set-up found; PySpark would only look at JAVA_HOME and PATH.
WITH_JAVA := JAVA_HOME="$$(cat $(VENV)/java_home)"

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-fast test-cluster compat lint format bench dist clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  \033[36mmake %-10s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv with all that is needed, and see to Java 17 (quick when nothing changed)
	@VENV="$(VENV)" ./scripts/setup.sh

demo: setup ## set up, then run the main job on real documents
	@$(WITH_JAVA) $(VENV)/bin/lakechunk demo

test: setup ## set up, then run all tests: first those without Spark, then the others
	@$(VENV_PYTHON) -m pytest -m "not spark and not cluster" -n auto -q
	@$(WITH_JAVA) $(VENV_PYTHON) -m pytest -m "spark and not cluster" -q

test-fast: setup ## set up, then run the tests that need no JVM
	@$(VENV_PYTHON) -m pytest -m "not spark and not cluster" -n auto -q

test-cluster: dist ## make what is shipped, and test it on a cluster of processes on this machine
	@$(WITH_JAVA) $(VENV_PYTHON) -m pytest -m cluster -q tests/cluster

compat: setup ## test on Spark 3.5, 4.0, 4.1 and the newest, each in an environment of its own (VERSIONS="3.5 4.0")
	@$(WITH_JAVA) PYTHON="$(VENV_PYTHON)" ./scripts/compat.sh $(VERSIONS)

dist: setup ## make what is shipped: wheel, zip for --py-files, packed environment (EXTRAS="code,huggingface")
	@PYTHON="$(VENV_PYTHON)" ./scripts/dist.sh

lint: setup ## check style and types
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m mypy

format: setup ## format the code, and mend what can be mended
	@$(VENV_PYTHON) -m ruff check --fix .
	@$(VENV_PYTHON) -m ruff format .

bench: setup ## measure speed: MB/s, and multiples of one tiktoken pass (BENCH="--no-spark FOLDER": options)
	@$(WITH_JAVA) $(VENV_PYTHON) -m tests.bench $(BENCH)

clean: ## remove all that was made here, .venv included
	rm -rf $(VENV) .compat build dist lakechunk.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis lakechunk-demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
