# The commands of the project; each sets up and builds what it needs first.
#
#   make             build the tools, in build/bin
#   make run         simulate heat in a plate, verify it, and leave a picture of it
#   make check       run the tests
#   make check-long  run the tests that take long, too: more seeds, products of
#                    schedules, sanitizers, fuzzing
#   make lint        check the form of the sources that changed since they were clean
#   make fuzz        look for inputs that break the readers, for 10 minutes each
#   make format      format the C and C++ sources
#   make docs        the documentation as a site, in build/site
#   make wheel       the Python package, in build/python/dist
#   make clean       remove what was built

.PHONY: all setup build run check check-deps check-long fuzzers lint fuzz format docs wheel clean
# --only-long leaves out what `make check` runs.
LONG = --long

all: build

# Installs what is missing; nothing, and at once, the second time.
setup:
	@utils/setup

build/build.ninja: CMakePresets.json | setup
	cmake --preset dev

build-asan/build.ninja: CMakePresets.json | setup
	cmake --preset asan

build: build/build.ninja
	cmake --build build

# The one tool that it needs; the others take as long again.
run: build/build.ninja
	cmake --build build --target stencil-run
	BUILD="$(CURDIR)/build" examples/heat2d.sh

check-deps: build/build.ninja
	cmake --build build --target check-deps

check: check-deps
	utils/run-tests build/test build/unittests

fuzzers: build-asan/build.ninja
	cmake --build build-asan --target fuzzers

check-long: check-deps fuzzers
	utils/run-tests $(LONG) build/test build/unittests build-asan/fuzz

lint: check-deps
	utils/run-tests build/lint; result=$$?; utils/lint/clean_state.py build; exit $$result

fuzz: fuzzers
	STENCIL_FUZZ_SECONDS=600 utils/run-tests build-asan/fuzz

format: setup
	find include lib python runtime tools unittests fuzz examples benchmarks test cmake -name '*.h' -o -name '*.c' -o -name '*.cpp' \
	  | xargs clang-format-22 -i

# It needs no compiler: the reference is in docs/generated.
docs:
	@utils/setup mkdocs-material
	mkdocs build --strict
	@echo "the site begins at build/site/index.html"

wheel: build/build.ninja
	STENCIL_BUILD_DIR="$(CURDIR)/build" /usr/bin/python3 -m pip wheel . --no-build-isolation --no-deps -w build/python/dist

clean:
	rm -rf build build-python build-asan build-release build-static
