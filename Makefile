# make serve   the page, on http://localhost:5006
# make test    everything: lint, types, arithmetic, the page in a real browser
# make bench   drag-to-paint latency, page weight, speed of the replay and its lab, join storm
# make fuzz    hostile inputs at every door for an hour: make fuzz MINUTES=5
# make audit   asks the registries whether something is known against a pinned package
#
# Another Python: make test PYTHON=python3.13

PYTHON ?= python3
PORT ?= 5006
MINUTES ?= 60
VENV := .venv/$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
BIN := $(VENV)/bin
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm

.PHONY: serve test check bench fuzz audit browser nginx image-check bases lock renew clean

serve: $(VENV)/.serve
	@ln -sfn $(notdir $(VENV))/bin .venv/bin
	$(BIN)/decode-arithmetic serve --port $(PORT)

test: $(VENV)/.test browser nginx check
	$(BIN)/python -m pytest --ignore tests/assets

check: $(VENV)/.test node_modules/.package-lock.json
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.helpers.modules
	$(NPM) run --silent lint
	$(NPM) run --silent types
	$(BIN)/python -m pytest --quiet tests/assets

bench: $(VENV)/.test browser
	$(BIN)/python -m bench

fuzz: $(VENV)/.test browser
	$(BIN)/python -m tests.helpers.hostile $(MINUTES)

audit: $(VENV)/.serve $(VENV)/audit/.installed
	$(BIN)/python -m tests.helpers.node
	$(BIN)/python -m tests.helpers.audit

image-check: $(VENV)/.test
	$(BIN)/python -m bench.image

# The digests of the images that ours stand on, in Dockerfile and compose.yaml (docker or skopeo).
bases:
	$(PYTHON) docker/bases.py

# A Chromium that is there already, else Playwright's own, else Debian's package.
browser: $(VENV)/.test
	$(BIN)/python -m tests.helpers.browser

# An nginx that is there already, else Debian's package, unpacked under build/.
nginx: $(VENV)/.test
	$(BIN)/python -m tests.helpers.nginx

$(VENV)/.serve: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: requirements-dev.lock $(VENV)/.serve
	$(BIN)/pip install --quiet --require-hashes --requirement requirements-dev.lock
	@touch $@

# Node is the system's where that is new enough, else PyPI's. ESLint finds mistakes (its rules and
# the names of globals are packages of their own), TypeScript checks types, axe the page itself.
node_modules/.package-lock.json: package-lock.json requirements-node.lock $(VENV)/.test
	$(BIN)/python -m tests.helpers.node
	$(NPM) ci --loglevel=error

# In an environment of its own: it brings two dozen packages that nothing else here needs.
$(VENV)/audit/.installed: requirements-audit.lock
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/pip install --quiet --require-hashes --requirement requirements-audit.lock
	@touch $@

# Pinned and hashed for every Python and platform, without any address.
UV := uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate --quiet
lock:
	$(UV) pyproject.toml --extra build --extra serve --output-file requirements.lock
	$(UV) pyproject.toml --extra build --extra serve --extra numba --extra dev \
		--output-file requirements-dev.lock
	$(UV) --group node --output-file requirements-node.lock
	$(UV) --group audit --output-file requirements-audit.lock

# The same with the newest versions that pyproject.toml and package.json allow.
renew: UV += --upgrade
renew: lock
	$(NPM) update --package-lock-only

clean:
	rm -rf .venv build node_modules *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
