# Two commands matter: `make lab` opens the course, `make test` tests it. Each sets up what it needs in .venv.

PYTHON ?= python3
LAB_ARGS ?=
TEST_ARGS ?=
PART ?=
COUNT ?= 20
STEMS ?=
RELEASE_ARGS ?=
MEASURE_ARGS ?=
SITE_ARGS ?=
OVERVIEW_ARGS ?=

# with PYTHON=…, .venv gets exactly this version
SET_UP := $(PYTHON) tools/bootstrap.py $(if $(filter file,$(origin PYTHON)),,--exactly)

# Windows keeps a virtual environment's programs elsewhere
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)

.PHONY: help lab test test-all test-rest mutants measure notebooks slides site exam release publish publish-check lite lint bench \
	overview upgrade clean

help:
	@echo "make lab        open the course in JupyterLab        (LAB_ARGS=\"--no-browser --port 8899\", PYTHON=python3.13)"
	@echo "make test       what every commit must pass          (PART=ch03, PART=ridge; TEST_ARGS=\"-k loo\")"
	@echo "make test-rest  the slow tests, as CI does after make test"
	@echo "make test-all   every test: weekly, and before a release"
	@echo "make mutants    change the code at random and list changes that no test notices  (PART=kcourse_grader, COUNT=20)"
	@echo "make notebooks  rebuild what is stale from src/      (STEMS=ch03_ridge)"
	@echo "make measure    measure what the chapters claim, over random draws (STEMS=ch02_kernels, MEASURE_ARGS=--check)"
	@echo "make slides     build the slides and check every page (STEMS=ch03_ridge); kcourse slides ch03_ridge shows them"
	@echo "make site       build the site, in site/             (SITE_ARGS=--quick: no slides, and no notebook is run)"
	@echo "make exam       an exam of paper problems (EXAM_ARGS=\"--chapters 3 5 --seed 2027 --out exam\")"
	@echo "make release    pack two archives for a class, in dist/  (RELEASE_ARGS=\"--chapters ch03 ch04\")"
	@echo "make publish    lay out the public course, in dist/public: docs/publish.md; publish-check says what is missing"
	@echo "make lite       build the edition that runs in a browser only, in dist/lite"
	@echo "make lint       style, types, directions of imports, words, limits of size"
	@echo "make bench      compare times with well-known libraries, write benchmarks/RESULTS.md"
	@echo "make overview   write docs/overview.md: chapters, times, lines and sizes (OVERVIEW_ARGS=--time: measured anew, 20 minutes)"
	@echo "make upgrade    pin the newest versions of everything"
	@echo "make clean      remove .venv, all caches, and site, slides and dist"

lab:
	@$(SET_UP) lab
	@$(BIN)/python -m kcourse lab $(LAB_ARGS)

test:
	@$(SET_UP) dev
	$(BIN)/python -m tools.test $(if $(PART),--part $(PART)) $(TEST_ARGS)

test-all:
	@$(SET_UP) dev
	$(BIN)/python -m tools.test --all $(TEST_ARGS)

# the slow tests, which CI runs after `make test`
test-rest:
	@$(SET_UP) dev
	$(BIN)/python -m tools.test --rest $(TEST_ARGS)

mutants:
	@$(SET_UP) dev
	$(BIN)/python -m tools.mutants $(PART) --count $(COUNT)

notebooks:
	@$(SET_UP) dev
	$(BIN)/python -m tools.build $(STEMS)

measure:
	@$(SET_UP) dev
	$(BIN)/python -m tools.measure $(STEMS) $(MEASURE_ARGS)

slides:
	@$(SET_UP) dev
	$(BIN)/python -m tools.slides $(STEMS)

site:
	@$(SET_UP) dev
	$(BIN)/python -m tools.site $(SITE_ARGS)

exam:
	@$(SET_UP) dev
	@$(BIN)/python -m kcourse exam $(EXAM_ARGS)

release:
	@$(SET_UP) dev
	$(BIN)/python -m tools.build --check
	$(BIN)/python -m tools.slides --print
	$(BIN)/python -m kcourse release $(RELEASE_ARGS)

publish:
	@test -d dist/public/.git || { echo "dist/public is not a clone: see docs/publish.md, step 5" >&2; exit 1; }
	@$(SET_UP) dev
	$(BIN)/python -m tools.build --check
	$(BIN)/python -m tools.site $(SITE_ARGS)
	$(BIN)/python -m tools.publish

publish-check:
	@$(SET_UP) dev
	@$(BIN)/python -m tools.publish --check

lite:
	@$(SET_UP) dev
	$(BIN)/python -m tools.lite

lint:
	@$(SET_UP) dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check kcourse kcourse_grader tools tests benchmarks measured
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python -m tools.words
	$(BIN)/python -m tools.limits

bench:
	@$(SET_UP) dev
	$(BIN)/python -m benchmarks

overview:
	@$(SET_UP) dev
	$(BIN)/python -m tools.overview $(OVERVIEW_ARGS)

upgrade:
	@$(SET_UP) dev
	$(BIN)/python -m tools.pin --upgrade
	@echo "now: make test, and make notebooks if a stored output changed"

clean:
	rm -rf .venv* .build .pytest_cache .hypothesis .ruff_cache .mypy_cache dist site slides
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
