"""Kinds of tests that lit does not have: checks of the source text, and fuzzing."""

import json
import os
import re
import shutil
import sys
import time

import lit.formats
import lit.Test
import lit.util

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lint"))
import clean_state

# Where C and C++ files of the project are.
SOURCES = (
    "include lib python runtime tools unittests fuzz examples benchmarks test cmake".split()
)
# What the build adds to a command for precompiled headers.
PRECOMPILED = re.compile(
    r"-Winvalid-pch|-Xclang -include-pch -Xclang \S+|-Xclang -include -Xclang \S+"
)
# A source that CMake makes of some of ours, and what it includes.
UNITED = re.compile(r"/Unity/unity_\w+_cxx\.cxx$")
INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)
# How long to look for new faults with each fuzz target. Without it every run
# begins with the same seed, and the inputs are the same as far as the target
# itself is reproducible: `make check` says the same of the same code.
FUZZ_SECONDS = os.environ.get("STENCIL_FUZZ_SECONDS")
# When no more tests are to begin, in seconds since the epoch (utils/run-tests). What
# lit has for this, --max-time, ends a run only once its first test lasts longer.
DEADLINE = float(os.environ.get("STENCIL_TEST_DEADLINE") or "inf")


def is_late():
    return time.time() >= DEADLINE


class ShTest(lit.formats.ShTest):
    """lit's, which begins no test after the deadline."""

    def execute(self, test, lit_config):
        if is_late():
            return lit.Test.SKIPPED, ""
        return super().execute(test, lit_config)


def single_commands(commands):
    """The commands of compile_commands.json as if each source were compiled alone."""
    for command in commands:
        text = PRECOMPILED.sub("", command["command"])
        united = command["file"]
        sources = [united]
        if UNITED.search(united):
            with open(united, encoding="utf-8") as file:
                sources = INCLUDED.findall(file.read())
        for source in sources:
            yield {**command, "command": text.replace(f"-c {united}", f"-c {source}"), "file": source}


class CommandTest(lit.formats.TestFormat):
    """A test that is one command, made from the test's path in its suite."""

    def command(self, test):
        raise NotImplementedError

    def execute(self, test, lit_config):
        if is_late():
            return lit.Test.SKIPPED, ""
        command = self.command(test)
        try:
            out, err, status = lit.util.executeCommand(
                command,
                cwd=test.config.stencil_src_root,
                timeout=lit_config.maxIndividualTestTime,
            )
        except lit.util.ExecuteCommandTimeoutException:
            return lit.Test.TIMEOUT, " ".join(command)
        result = lit.Test.FAIL if status else lit.Test.PASS
        return result, " ".join(command[:20]) + "\n" + out + err[-10000:]


class Lint(CommandTest):
    """`format`: every file is formatted. `tidy/FILE`: clang-tidy, whose checks
    .clang-tidy names, on a source file of the build that differs from the recorded
    clean state (clean_state.py). It compiles without the precompiled headers: that
    is faster for clang-tidy, and shows what a source forgot to include."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, config):
        if path_in_suite:
            return
        yield lit.Test.Test(suite, ("format",), config)
        with open(
            os.path.join(config.stencil_build_root, "compile_commands.json"), encoding="utf-8"
        ) as file:
            commands = list(single_commands(json.load(file)))
        os.makedirs(config.test_exec_root, exist_ok=True)
        with open(
            os.path.join(config.test_exec_root, "compile_commands.json"), "w", encoding="utf-8"
        ) as file:
            json.dump(commands, file)
        clean = clean_state.recorded(config.stencil_src_root)
        for source in sorted({command["file"] for command in commands}):
            path = os.path.relpath(source, config.stencil_src_root)
            # What the build generates is no source of ours.
            if path.split(os.sep)[0] not in SOURCES:
                continue
            if clean.get(path) != clean_state.digest(config.stencil_src_root, path):
                yield lit.Test.Test(suite, ("tidy", *path.split(os.sep)), config)

    def command(self, test):
        config = test.config
        root = config.stencil_src_root
        kind, *path = test.path_in_suite
        if kind == "format":
            return [config.clang_format, "--dry-run", "-Werror", *c_and_cpp_files(root)]
        source = os.path.join(root, *path)
        return [config.clang_tidy, "--quiet", "-p", config.test_exec_root, source]

    def execute(self, test, lit_config):
        result = super().execute(test, lit_config)
        kind, *path = test.path_in_suite
        if kind == "tidy" and result[0] == lit.Test.PASS:
            source = os.path.join(*path)
            stamp = clean_state.stamp(test.config.stencil_build_root, source)
            os.makedirs(os.path.dirname(stamp), exist_ok=True)
            with open(stamp, "w", encoding="utf-8") as file:
                file.write(clean_state.digest(test.config.stencil_src_root, source))
        return result


class Fuzz(CommandTest):
    """`NAME`: the fuzz target of that name replays its seeds, then fuzzes."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, config):
        if not path_in_suite:
            for name in sorted(config.fuzzers):
                yield lit.Test.Test(suite, (name,), config)

    def command(self, test):
        (name,) = test.path_in_suite
        program = os.path.join(test.config.test_exec_root, name)
        corpus = program + ".corpus"
        if not FUZZ_SECONDS:
            shutil.rmtree(corpus, ignore_errors=True)
        os.makedirs(corpus, exist_ok=True)
        seeds = test.config.fuzzers[name] + [os.path.join("fuzz", "Regression", name)]
        seeds = [os.path.join(test.config.stencil_src_root, seed) for seed in seeds]
        command = [program, "-timeout=10", "-rss_limit_mb=2048"]
        command += [f"-artifact_prefix={program}-"]
        command += ["-max_total_time=" + (FUZZ_SECONDS or "60")]
        if not FUZZ_SECONDS:
            command += ["-seed=1", "-reload=0", "-runs=1000000"]
        words = os.path.join(test.config.test_source_root, name + ".dict")
        if os.path.exists(words):
            command.append("-dict=" + words)
        return command + [corpus] + [seed for seed in seeds if os.path.isdir(seed)]


def c_and_cpp_files(root):
    """The C and C++ files of the project whose root directory this is."""
    for top in SOURCES:
        for directory, _, files in os.walk(os.path.join(root, top)):
            for file in sorted(files):
                if file.endswith((".h", ".c", ".cpp")):
                    yield os.path.join(directory, file)
