#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of how a project runs its checks: make, CMake, Meson, and what
the GitHub action does once Heddle is installed; and the extension of VS Code.

    tests/cli/test_examples.py build/heddle [WORD]
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import HEDDLE, WORK
from sarif import check_log
from tap import test

ROOT = Path(__file__).resolve().parent.parent.parent


def project(name):
    """A copy, in which something can be built and changed."""
    folder = WORK / name
    shutil.copytree(ROOT / "examples/project", folder)
    return folder


def run(*words, cwd, code=0, **env):
    path = f"{Path(HEDDLE).parent}:{os.environ['PATH']}"
    result = subprocess.run(words, cwd=cwd, text=True, capture_output=True,
                            timeout=120,
                            env={**os.environ, "PATH": path, **env})
    assert result.returncode == code, (words, result.stdout, result.stderr)
    return result.stdout


def needs(program):
    if not shutil.which(program):
        raise tap.Skip(f"there is no {program}")


def spoil(folder):
    """The ring loses its release."""
    file = folder / "ring.h"
    text = file.read_text()
    assert "memory_order_release\n" in text
    file.write_text(text.replace("memory_order_release\n",
                                 "memory_order_relaxed\n", 1))


@test
def make_checks_again_what_has_changed():
    needs("make")
    folder = project("make")
    assert "3 passed" in run("make", "check", cwd=folder)
    assert "Nothing to be done" in run("make", "check", cwd=folder)
    spoil(folder)
    later = folder.stat().st_mtime + 5
    os.utime(folder / "ring.h", (later, later))
    assert "FAIL" in run("make", "check", cwd=folder, code=2)


@test
def cmake_has_a_test_per_model():
    needs("cmake")
    folder = project("cmake")
    (folder / "CMakeLists.txt").open("a").write(
        "target_compile_definitions(ring INTERFACE PUBLISH=memory_order_relaxed"
        " WITH_BLANK=\"a b\")\nadd_executable(user ring_check.c)\n"
        "target_link_libraries(user ring)\n"
        "heddle_add_test(ring_check.c NAME of_target TARGET user EXPECT race)\n"
        "heddle_add_test(nowhere.c NAME bad EXPECT race)\n")
    run("cmake", "-B", "build",
        f"-DHeddle_DIR={ROOT / 'packaging/cmake'}", cwd=folder)
    text = run("ctest", "--test-dir", "build", cwd=folder, code=8)
    for name in ("ring_check.rc11", "ring_check.armv8", "ring_relaxed.rc11",
                 "of_target.rc11"):
        (line,) = [line for line in text.splitlines()
                   if f"heddle.{name} ." in line]
        assert "Passed" in line, text
    assert "heddle.bad.rc11 (Failed)" in text, text  # bad input is no error


@test
def meson_has_tests():
    needs("meson")
    folder = project("meson")
    run("meson", "setup", "build", cwd=folder)
    run("meson", "test", "-C", "build", cwd=folder)
    spoil(folder)
    assert "Fail:               3" in run("meson", "test", "-C", "build",
                                           cwd=folder, code=3)


@test
def the_github_action_runs():
    folder = project("action")
    script = str(ROOT / "examples/github-action/run.sh")
    output = folder / "output"
    text = run(script, cwd=folder, TESTS=".", SARIF_OF="ring_check.c",
               OPTIONS="--jobs 0 --max-wall 60", GITHUB_OUTPUT=str(output))
    assert "3 passed" in text, text
    assert output.read_text() == "sarif=heddle.sarif\n"
    check_log(json.loads((folder / "heddle.sarif").read_text()))
    spoil(folder)
    text = run(script, cwd=folder, code=1, SARIF_OF="ring_check.c",
               GITHUB_OUTPUT=str(output))
    assert "::error" in text, text
    (sarif,) = json.loads((folder / "heddle.sarif").read_text())["runs"]
    assert sarif["results"][0]["ruleId"] == "race", sarif["results"]
    run(script, cwd=folder, code=2, TESTS="nowhere; touch oops",
        GITHUB_OUTPUT=str(output))
    assert not (folder / "oops").exists()


def on_path():
    """PATH with the heddle that is tested."""
    return f"{Path(HEDDLE).resolve().parent}:{os.environ['PATH']}"


@test
def a_check_runs_in_a_matrix_of_jobs():
    """As a real one, and one that is over when it is split."""
    script = str(ROOT / "examples/ci-matrix/try.sh")
    text = run(script, cwd=ROOT, N="7", PATH=on_path())
    assert "4 parts" in text and "ok: 5040 executions" in text, text
    text = run(script, cwd=ROOT, N="3", PATH=on_path())
    assert "ok: 6 executions" in text, text
    workflow = (ROOT / "examples/ci-matrix/workflow.yml").read_text()
    for step in ("split", "run", "merge"):
        assert f"step.sh {step}" in workflow, step


@test
def scripts_for_slurm_are_scripts():
    """(try.sh runs them, where there is a Slurm.)"""
    folder = ROOT / "examples/slurm"
    for script in sorted([*folder.glob("*.sh"), *folder.glob("*.sbatch")]):
        run("bash", "-n", str(script), cwd=folder)


@test
def the_extension_of_vscode_starts_a_server():
    needs("node")
    run("node", "--test", "test.js", cwd=ROOT / "editors/vscode",
        HEDDLE=HEDDLE)


@test
def the_action_installs_a_package():
    """As root without sudo or curl, as in a container, and as a user of a
    machine that has both. (tools/fresh_package.sh does it for real.)"""
    script = ROOT / "examples/github-action/install.sh"
    text = (ROOT / "examples/github-action/action.yml").read_text()
    assert "run: ${{ github.action_path }}/install.sh\n" in text, text
    for is_root in (True, False):
        folder = WORK / f"install-{is_root}"
        log = folder / "log"
        bin = folder / "bin"
        bin.mkdir(parents=True)

        def put(name, body):
            (bin / name).write_text(f"#!/bin/bash\n{body}\n")
            (bin / name).chmod(0o755)

        get = 'touch "$3"\necho "got $4" >>' + f"'{log}'"
        put("id", f"echo {0 if is_root else 1000}")
        put("heddle", f"echo heddle $* >>'{log}'")
        put("apt-get", f"echo apt-get $* >>'{log}'\n"
            f"case \"$*\" in *' curl '*) ln -s real-curl '{bin}/curl';; esac")
        put("real-curl", get)
        if not is_root:
            put("sudo", f"echo sudo >>'{log}'\n\"$@\"")
            put("curl", get)
        for tool in ("touch", "ln", "bash"):
            (bin / tool).symlink_to(shutil.which(tool))
        run(str(script), cwd=folder, PATH=str(bin), RUNNER_TEMP=str(folder),
            PACKAGE="https://example.org/heddle.deb")
        said = log.read_text()
        assert ("sudo" in said) != is_root, said
        assert ("ca-certificates" in said) == is_root, said
        assert "got https://example.org/heddle.deb" in said, said
        assert said.splitlines()[-2].endswith(f" {folder}/heddle.deb"), said
        assert said.splitlines()[-1] == "heddle doctor", said


@test
def the_action_runs_that_script():
    text = (ROOT / "examples/github-action/action.yml").read_text()
    assert "run: ${{ github.action_path }}/run.sh\n" in text
    script = (ROOT / "examples/github-action/run.sh").read_text()
    for name in ("TESTS", "SARIF_OF", "MODEL", "OPTIONS"):
        assert f"        {name}: ${{{{ inputs." in text and f"${{{name}" in script


if __name__ == "__main__":
    tap.main(sys.argv[2:])
