# SPDX-License-Identifier: MIT
# The front door: each target installs what it needs (tools/setup.sh says what
# and why, and does nothing when all is there) and leaves the work to Meson.

BUILD ?= build
PREFIX ?= /usr/local
PYTHON ?= python3

.DEFAULT_GOAL := build
.PHONY: help build demo test check nightly fuzz bench ablation tsan coverage \
  lint install deb tarball clean setup

help: ## this list
	@awk -F ': .*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' \
	  $(MAKEFILE_LIST)

build: setup $(BUILD)/build.ninja ## build build/heddle (the default)
	@ninja -C $(BUILD)

demo: build ## check a correct program and one with a weak-memory bug
	@tools/demo.sh $(BUILD)/heddle

test: ## all tests, in a release, a sanitizer and a slow-check build
	@tools/setup.sh test
	@$(PYTHON) tests/all.py

check: build ## a minute of tests, for everyday work
	@$(PYTHON) tests/all.py --quick

nightly: build ## all that test has a share of, and new seeds, for hours
	@tools/setup.sh nightly
	@$(PYTHON) tests/nightly.py

SECONDS ?= 600
fuzz: build ## damaged input for SECONDS (600), with a new seed each time
	@$(PYTHON) tests/fuzz/fuzz.py $(BUILD)/heddle --seconds $(SECONDS) \
	  --seed "$$(date +%s)"

bench: build ## speed, memory and reach of models; writes docs/performance.md
	@$(PYTHON) tests/bench/bench.py $(BUILD)/heddle
	@$(PYTHON) tests/bench/reach.py $(BUILD)/heddle --save

ablation: build ## what each reduction is worth: each switched off alone
	@$(PYTHON) tests/bench/ablation.py $(BUILD)/heddle

tsan: setup ## the tests of --jobs in a build with the thread sanitizer
	@test -e build-tsan/build.ninja || meson setup build-tsan \
	  --buildtype=debugoptimized -Db_sanitize=thread
	@ninja -C build-tsan
	@meson test -C build-tsan --no-rebuild jobs unit_parallel unit_ranks

coverage: setup ## which lines of src/ no test runs (half an hour)
	@$(PYTHON) tools/coverage.py --run

lint: build ## format, layers, clang-tidy, warnings as errors with gcc and clang
	@tools/setup.sh lint
	@tools/layers.py
	@tools/lint.py --format $(BUILD)

install: build ## install below PREFIX (and DESTDIR)
	@meson configure $(BUILD) --prefix $(abspath $(PREFIX))
	@meson install -C $(BUILD)

deb: ## a Debian package, dist/heddle_VERSION_ARCH.deb
	@tools/setup.sh deb
	@tools/package.sh deb

tarball: ## a tarball that needs only clang, dist/heddle-VERSION-*.tar.xz
	@tools/setup.sh tar
	@tools/package.sh tar

clean: ## remove everything that was built
	rm -rf build build-* dist

setup:
	@tools/setup.sh

$(BUILD)/build.ninja:
	@meson setup $(BUILD)
