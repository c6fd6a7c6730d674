# `make demo` and `make test` set everything up on a machine with Python 3.11+, make and a C compiler.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Modules that are compiled from these folders; all are written with the last of them.
COMPILED := src/groundwire/base/rules/shipped.py
COMPILED_FROM := patterns/ outcomes/ programs/ model/ $(wildcard patterns/*.toml patterns/*/*.toml outcomes/*.toml \
	programs/*.toml model/*.toml src/groundwire/settings/patterns/*.py src/groundwire/base/rules/__init__.py)

.PHONY: demo picture docs test lint e2e e2e-clients e2e-spark clients fuzz torture load attack weak-model bench bench-short vectors quality audit everyday calibrate patterns package clean

# What is imported is compiled then, also where the surroundings forbid it; all of it at once takes 24 s.
export PYTHONDONTWRITEBYTECODE :=
$(READY): pyproject.toml constraints.txt hatch_build.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
		--constraint constraints.txt --editable '.[dev]'
	touch $@

$(COMPILED): $(COMPILED_FROM) | $(READY)
	$(BIN)/python -m groundwire.settings.patterns.compile

# Small environments of their own: the package alone, with what builds the site, with Spark and what
# tests it, and with another server of Spark's protocol, which has Delta.
.demo/.ready: EXTRA =
.docs/.ready: EXTRA = [docs]
.fleet/.ready: EXTRA = [fleet]
.fleet/.ready: MORE = duckdb hypothesis pytest
.connect/.ready: EXTRA =
.connect/.ready: MORE = deltalake hypothesis pandas pyarrow pysail pyspark-client pytest
.demo/.ready .docs/.ready .fleet/.ready .connect/.ready: Makefile pyproject.toml constraints.txt hatch_build.py $(COMPILED_FROM)
	@echo 'groundwire: an environment of its own in $(@D)'
	@$(PYTHON) -m venv $(@D)
	@rm -f $@
	@{ $(@D)/bin/python -m pip install --disable-pip-version-check --no-compile \
		--constraint constraints.txt --editable '.$(EXTRA)' $(MORE) && touch $@; } | grep -E '^(Collecting|Building|Installing)'; test -f $@

demo: .demo/.ready
	@.demo/bin/python fixtures/demo.py

# Takes the pictures of README and docs again, from a run of the demo.
picture: .demo/.ready
	@.demo/bin/python fixtures/demo.py --svg docs > /dev/null

# The pages of docs/ and one for each kind and marker, as a site in build/site.
docs: .docs/.ready
	@NO_MKDOCS_2_WARNING=1 .docs/bin/mkdocs build --strict --quiet
	@echo 'build/site/index.html'

test: $(COMPILED)
	$(BIN)/python -m pytest tests -m "not e2e" --numprocesses auto --maxprocesses 8

lint: $(COMPILED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

e2e: e2e-clients e2e-spark

e2e-clients: $(COMPILED) package clients
	$(BIN)/python -m pytest tests -m e2e --numprocesses 2 --dist loadfile

# Most of its time it waits: for workers that start, and for one that was killed.
e2e-spark: $(COMPILED) clients .fleet/.ready .connect/.ready
	.connect/bin/python -m pytest tests/fleet/connect -m e2e
	.fleet/bin/python -m pytest tests/fleet -m e2e

clients: $(READY)
	sh tests/e2e/setup.sh

# A really weak local model takes six digests of the second look's exam, and must fail: some minutes.
weak-model: $(COMPILED)
	PYTHON=$(BIN)/python sh benchmarks/weak_model.sh
	$(BIN)/python -u -m benchmarks.weak_model

# Inputs made by changing those of tests/fuzz/corpus, which `make test` runs; half of the time atheris
# leads them where it can be installed. TARGETS="messages turns" runs these alone.
MINUTES ?= 10
fuzz: $(COMPILED)
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m pip install --quiet \
		--disable-pip-version-check 'atheris>=3' || echo 'no atheris here: nothing leads the inputs'
	$(BIN)/python -m benchmarks.fuzz --minutes $(MINUTES) $(TARGETS)

# 64 writers, 1,000 of them killed at system calls, full and read-only disks, jumps of the clock,
# two versions; on Linux, with a C compiler.
torture: $(COMPILED)
	$(BIN)/python -m benchmarks.torture $(TORTURE)

# 32 clients on the resident server for ten minutes, then the same beside one that hangs up, one that
# sends a byte at a time and one that floods. LOAD="alone --minutes 1" is less.
load: $(COMPILED)
	$(BIN)/python -m benchmarks.load $(LOAD)

# Hostile events, transcripts, repositories, environments, kills, 32 at once, requests and packs, in
# MINUTES, against processes of their own; fails with any fault. ATTACK="kills requests" is less.
attack: $(COMPILED)
	$(BIN)/python -m benchmarks.attack --minutes $(MINUTES) $(ATTACK)

# The built wheel, and the wheel from the source archive, in empty environments.
package: $(READY)
	BIN=$(BIN) sh tests/package/check.sh

# Every figure beside its target, in about ten minutes; benchmarks/README.md says what they mean.
# PEER=DIR measures the Stop hook of another plugin beside ours instead.
bench: $(COMPILED)
	$(BIN)/python -m benchmarks $(BENCH) $(if $(PEER),--peer $(PEER))

# Each benchmark once and small: fails on a wrong answer, the import budget, or instructions over
# benchmarks/budget.json, never on a time.
bench-short: $(COMPILED)
	$(BIN)/python -m pytest tests/hook/test_import_budget.py
	$(BIN)/python -m benchmarks --short

# The requirements' own vectors: how many rows hold, and which ones do not.
VECTORS ?= ../shared/spec/vectors.json
vectors: $(COMPILED)
	@$(BIN)/python -m benchmarks.vectors $(VECTORS)

# GOLD are folders with gold.jsonl, events.jsonl, transcripts/ and, in them or beside them, score.py.
# Every repository is left out in turn; the ones of one owner that share their code count as one.
GOLD ?= $(wildcard ../shared/gold/dev ../shared/gold/wide)
TOGETHER := --together 'entireio/*'

quality: $(COMPILED)
	@test -n "$(GOLD)" || { echo 'usage: make quality GOLD="DIR ..."'; exit 2; }
	$(BIN)/groundwire quality $(GOLD) $(TOGETHER) --shipped

# Every stop and note on a folder of recorded turns and sessions, on a page for a reader to mark.
TURNS ?= ../shared/turns
AUDIT ?= build/audit
audit: $(COMPILED)
	@$(BIN)/python -m benchmarks.audit $(TURNS) $(AUDIT)
	@echo '$(AUDIT)/audit.md'

# Case files of short sessions, played in the real client with the hook; PLAYER says their format.
PLAYER ?= ../shared/everyday/run.py
CASES ?= $(wildcard ../shared/everyday/*_example.py)
everyday: $(COMPILED) clients
	CLIENT=$(abspath .e2e/client/node_modules/.bin/claude) HOOK=$(abspath $(BIN)/groundwire-hook) $(BIN)/python $(PLAYER) $(CASES)

# Fits model/*.toml to all of GOLD from the priors, and measures that left out by repository.
# WRITE=1 writes them and what is compiled of them.
calibrate: $(COMPILED)
	@test -n "$(GOLD)" || { echo 'usage: make calibrate GOLD="DIR ..." [WRITE=1]'; exit 2; }
	$(BIN)/groundwire calibrate $(GOLD) $(TOGETHER) --shipped --ablation \
		$(if $(WRITE),--write model,--model)
	$(if $(WRITE),$(MAKE) patterns)

# Compiles patterns/, outcomes/, programs/ and model/, which all the others do when they changed.
patterns: $(READY)
	$(BIN)/python -m groundwire.settings.patterns.compile
	$(BIN)/groundwire patterns check
	$(BIN)/python -m docs.generate

clean:
	rm -rf $(VENV) .demo .docs .e2e .fleet build dist .mypy_cache .ruff_cache .hypothesis
	rm -f $(addprefix src/groundwire/base/rules/,lists.py milestones.py outcomes.py programs.py weights.py vocabulary.py shipped.py)
