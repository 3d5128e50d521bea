# One command per chore. Each prepares what it needs inside this folder (.venv, target) and
# leaves the rest of the machine as it is; only Cargo's own download cache lies outside.
# `make demo` shows the product, `make test` proves it, a change must pass `make check`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Cargo runs from rustup's toolchain, also if HOME is another folder.
CARGO ?= $(shell command -v cargo)
export RUSTUP_HOME ?= $(wildcard $(patsubst %/.cargo/bin/cargo,%/.rustup,$(CARGO)))
ifeq ($(RUSTUP_HOME),)
unexport RUSTUP_HOME
endif
# The binding is built for the interpreter of the environment, whichever is first in PATH.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Tests are compiled once, not by every process of every run.
unexport PYTHONDONTWRITEBYTECODE

CRATE_FILES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
PYTHON_FOLDERS := python tests tools benchmarks examples docs
# What the scripts of the pages are built from and checked by, where there is npm.
PACKAGES := $(if $(shell command -v npm),frontend/node_modules/.package-lock.json)
NODES ?= 16
CATALOGUE ?= whitney-1998

.PHONY: build demo test test-crates test-package check check-rust check-python check-scripts \
	check-conventions bench baseline peers agreement emulated papers studies assets docs golden \
	format lock clean

build: $(VENV)/.built

# The picture of the product: every architecture for 16 nodes, priced, proved, run and drawn.
demo: build
	linkwright compare --nodes $(NODES) --catalogue $(CATALOGUE) -o compare.html
	@echo
	@echo "The comparison is in $(CURDIR)/compare.html: open it in any browser, no network needed."

test: test-crates test-package

test-crates: $(VENV)/.ready
	$(CARGO) test --workspace --exclude binding --locked

# What a browser or a library keeps of the tests stays in this folder too. One process runs a
# whole file of tests, so that shared fixtures are made once. Files come in the order of their
# folders: those that wait beside those that compute, and the shortest last.
test-package: build $(PACKAGES)
	XDG_CACHE_HOME=$(CURDIR)/target/home XDG_CONFIG_HOME=$(CURDIR)/target/home \
		pytest --numprocesses auto --max-worker-restart 0 --dist loadfile --no-loadscope-reorder

check: check-rust check-python check-scripts check-conventions docs

check-rust: $(VENV)/.ready
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

check-python: build
	ruff format --check $(PYTHON_FOLDERS)
	ruff check $(PYTHON_FOLDERS)
	lint-imports --no-cache --no-logo pyproject.toml
	mypy --strict python/linkwright tools benchmarks

check-scripts: $(PACKAGES)
	$(if $(PACKAGES),cd frontend && npx tsc --noEmit,@echo "no npm: types of the scripts are not checked")

# What no linter knows: form, circles of files in crates, stubs, pages made from code.
check-conventions: build
	python tools/tidy.py
	python tools/crates.py
	python tools/stubs.py
	python tools/published.py --check
	python tools/notices.py --check
	python tools/answers.py --check
	python tools/assets.py --check

bench: build
	python benchmarks/run.py
	python benchmarks/scale.py
	python benchmarks/start.py
	python benchmarks/bring_up.py
	python benchmarks/real_machines.py
	python benchmarks/measured.py
	python benchmarks/faithful.py
	python benchmarks/study.py

# Installs ns-3 and SimGrid by apt-get, compiles our drivers for them, runs W1 to W5 on all in turn.
peers: build
	python benchmarks/against_peers.py --install

# Makes the figures of this machine the ones that `make bench` compares with.
baseline: build
	python benchmarks/run.py --save
	python benchmarks/scale.py --save

# Compares the fast engines with the packet engine (some two minutes) and writes the page.
agreement: build
	python tools/agreement.py
	python tools/published.py

# Plays workloads on real kernels beside the packet engine (some twenty minutes, as root, on a
# quiet machine) and writes the page.
emulated: build
	python tools/emulated.py
	python tools/emulated.py --cut
	python tools/published.py

# Runs every experiment of the papers (some twenty minutes) and writes the page on accuracy. With
# DRAWS=8 the intervals include the hosts' fitted constants, and it takes half an hour more.
DRAWS ?= 0
papers: build
	python tools/accuracy.py --draws $(DRAWS)

# Runs the example studies (some two minutes) and keeps the rows of their figures.
studies: build
	python tools/study_examples.py

# Scripts of pages are kept in git: only a change of frontend/ needs node, and only a change of the
# crates behind a core in WebAssembly needs Debian's Rust.
assets:
	$(PYTHON) tools/assets.py

# Draws the figures and builds the pages; a warning, a dead link or a load from another host is an
# error.
docs: build
	python tools/figures.py
	python tools/living.py
	python tools/man_pages.py docs/_build/man/man1
	sphinx-build --quiet --fail-on-warning docs docs/_build/html
	python tools/links.py
	@echo "The pages are in docs/_build/html/index.html."

# Rewrites every stored expectation; read the diff before it is committed.
golden: build
	python tools/published.py
	python tools/notices.py
	pytest --rewrite-golden

format: $(VENV)/.ready
	$(CARGO) fmt --all
	ruff format $(PYTHON_FOLDERS)
	ruff check --fix $(PYTHON_FOLDERS)

lock: $(VENV)/.ready
	$(BIN)/pip install --quiet uv
	$(BIN)/uv --quiet --no-cache pip compile pyproject.toml --group dev --group docs --universal \
		--upgrade --generate-hashes --custom-compile-command "make lock" -o requirements.lock

clean:
	rm -rf $(VENV) target docs/_build frontend/node_modules compare.html
	find . -name __pycache__ -prune -exec rm -rf {} +

frontend/node_modules/.package-lock.json: frontend/package-lock.json
	cd frontend && npm ci --no-fund --no-audit --silent --cache $(CURDIR)/target/npm
	touch $@

$(VENV)/.ready: requirements.lock
	$(PYTHON) -m venv $(VENV) || { echo "needs Python 3.11 with venv (Debian: python3-venv)"; exit 1; }
	$(BIN)/python -m pip install --quiet --no-cache-dir --require-hashes -r requirements.lock
	touch $@

$(VENV)/.built: $(VENV)/.ready pyproject.toml $(CRATE_FILES)
	@echo "Building the core in release mode; the first time takes a few minutes."
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q python/linkwright
	touch $@
