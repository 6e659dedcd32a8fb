# The commands of the project; each sets up and builds what it needs first.
#
#   make         build the tools, in build/bin
#   make run     simulate heat in a plate, verify it, and leave a picture of it
#   make check   run every test and check
#   make fuzz    look for inputs that break the readers, for 10 minutes each
#   make format  format the C and C++ sources
#   make clean   remove what was built

.PHONY: all setup build run check fuzz format clean
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

run: build
	BUILD="$(CURDIR)/build" examples/heat2d.sh

check: build build-asan/build.ninja
	cmake --build build --target check-deps
	cmake --build build-asan --target fuzzers
	utils/run-tests build/test build/unittests build/lint build-asan/fuzz

fuzz: build-asan/build.ninja
	cmake --build build-asan --target fuzzers
	STENCIL_FUZZ_SECONDS=600 utils/run-tests build-asan/fuzz

format: setup
	find include lib runtime tools unittests fuzz examples benchmarks test cmake -name '*.h' -o -name '*.c' -o -name '*.cpp' \
	  | xargs clang-format-22 -i

clean:
	rm -rf build build-asan build-release build-static
