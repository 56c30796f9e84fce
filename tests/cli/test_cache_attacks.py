#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cache against those who want an old answer from it: inputs that
cannot be asked twice, inputs that change while an entry is made, entries that
are not what they seem, runs that are killed. Every program here says by its
verdict which text was compiled. Speaks TAP."""
import os
import random
import shutil
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
import tap
from clang import CLANG
from heddle import HEDDLE, WORK, heddle, says, write
from tap import test

BUILD = Path(HEDDLE).parent
COUNTING = BUILD / "tests" / "unit" / "counting_clang"
SEED = int(os.environ.get("HEDDLE_SEED", time.time_ns() % 10**9))
print(f"# seed {SEED}")

PROGRAM = ('#include <assert.h>\n#include "value.h"\n'
           "int main(void) { assert(VALUE == 0); return 0; }\n")

# Changes value.h at a moment of Heddle's own work, or fills the disk.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is_at(const char *moment, const char *path, const char *part) {
  const char *wanted = strcmp(program_invocation_short_name, "heddle") == 0
                           ? getenv("SHIM") : NULL;
  return wanted && strcmp(wanted, moment) == 0 && strstr(path, part);
}
static const char *path_of(int fd) {
  static char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = 0;
  return path;
}
static void change(void) {
  static int is_done;
  if (is_done++)
    return;
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int fd = real(getenv("SHIM_FILE"), O_WRONLY);
  if (write(fd, "#define VALUE 1\n", 16) != 16)
    abort();
  close(fd);
}
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
    if (is_at("open", path, "value.h")) change(); \
    return real(path, flags, 0666); \
  }
OPEN(open)
OPEN(open64)
ssize_t read(int fd, void *to, size_t n) {
  ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  if (is_at("read", path_of(fd), "value.h")) change();
  return real(fd, to, n);
}
ssize_t write(int fd, const void *from, size_t n) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (!is_at("full", path_of(fd), "/cache/")) return real(fd, from, n);
  static int writes;
  if (writes++ == 0) return real(fd, from, n / 2);
  errno = ENOSPC;
  return -1;
}
"""


class Place:
    """A folder with value.h, the program, a cache of its own and a compiler
    that counts its runs."""

    def __init__(self, name):
        self.folder = WORK / name
        self.folder.mkdir()
        self.cache = self.folder / "cache"
        self.env = {"HEDDLE_CACHE": str(self.cache),
                    "HEDDLE_CLANG": str(COUNTING),
                    "COUNTING": str(self.folder / "runs")}
        (self.folder / "a.c").write_text(PROGRAM)
        self.value(0)

    def value(self, n):
        """In place, in the same size."""
        path = self.folder / "value.h"
        with open(path, "r+" if path.exists() else "w") as out:
            out.write(f"#define VALUE {n}\n")

    def check(self, code, *args, file="a.c", **env):
        return heddle("check", file, *args, code=code, cwd=self.folder,
                      timeout=60, **{**self.env, **env})

    def entries(self, kind="bc"):
        """Of bitcode, or of programs that were made of it (prog)."""
        return sorted(self.cache.glob(f"*.{kind}")) \
            if self.cache.exists() else []

    def runs(self):
        path = self.folder / "runs"
        return path.stat().st_size if path.exists() else 0


def settle():
    """Until the clock of the file system has ticked."""
    time.sleep(0.02)


def known(name):
    """A place with one entry, which is used."""
    p = Place(name)
    settle()
    p.check(0)
    p.check(0)
    assert p.runs() == 1 and len(p.entries()) == 1, (p.runs(), p.entries())
    return p


# -- what cannot be asked twice

@test
def pipes():
    p = Place("pipes")
    (p.folder / "p.c").write_text(PROGRAM.replace('#include "value.h"\n', ""))
    settle()
    for n in (0, 1, 0):
        subprocess.run(
            ["bash", "-c", '"$0" check p.c -- -include <(echo "#define VALUE '
             f'{n}"); test $? = {n}', HEDDLE], check=True, cwd=p.folder,
            env={**os.environ, **p.env}, capture_output=True, timeout=60)
    assert not p.entries()


@test
def fifos():
    p = Place("fifos")
    header = p.folder / "value.h"
    header.unlink()
    os.mkfifo(header)
    for n in (0, 1):
        writer = threading.Thread(
            target=lambda: header.write_text(f"#define VALUE {n}\n"))
        writer.start()
        p.check(n)
        writer.join()
    assert not p.entries()


@test
def devices():
    p = Place("devices")
    (p.folder / "d.c").write_text(
        "#define VALUE 0\nconst unsigned char noise[] = {\n"
        '#embed "/dev/urandom" limit(8)\n};\n'
        "int main(void) { return 0; }\n")
    settle()
    p.check(0, file="d.c")
    p.check(0, "--", "-include", "/dev/null")
    assert not p.entries()


@test
def files_that_change_without_a_trace():
    p = Place("proc")
    (p.folder / "d.c").write_text(
        "const unsigned char noise[] = {\n"
        '#embed "/proc/uptime"\n};\nint main(void) { return 0; }\n')
    with open("/proc/uptime") as held:  # its inode is not made anew
        held.read()
        settle()
        p.check(0, file="d.c")
    assert not p.entries()


@test
def files_that_are_asked_for_their_size():
    p = Place("size")
    (p.folder / "e.c").write_text(
        '#include <assert.h>\n#if __has_embed("data") == 2\n#define VALUE 0\n'
        "#else\n#define VALUE 1\n#endif\n"
        "int main(void) { assert(VALUE == 0); return 0; }\n")
    for text, code in (("", 0), ("x", 1), ("", 0)):
        (p.folder / "data").write_text(text)
        settle()
        p.check(code, file="e.c")
        p.check(code, file="e.c")
    assert p.runs() in (2, 3), p.runs()


# -- what changes while an entry is made

def shim():
    library = WORK / "shim.so"
    if not library.exists():
        source = write("shim.c", SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", str(library),
                        source, "-ldl"], check=True)
        settle()  # the compiler loads it, so it is one of its inputs
    return str(library)


def changed_when(moment):
    p = Place(f"at-{moment}")
    settle()
    p.check(0, SHIM=moment, SHIM_FILE=str(p.folder / "value.h"),
            LD_PRELOAD=shim(), ASAN_OPTIONS="verify_asan_link_order=0")
    assert (p.folder / "value.h").read_text() == "#define VALUE 1\n"
    for _ in range(2):
        p.check(1, LD_PRELOAD=shim(), ASAN_OPTIONS="verify_asan_link_order=0")


@test
def changed_before_it_is_digested():
    changed_when("open")


@test
def changed_while_it_is_digested():
    changed_when("read")


@test
def times_without_fractions_are_of_slow_clocks():
    """Nobody can set the time of the last change, so the rule is asked by a
    file system that has whole seconds only; where there is none, by nobody."""
    image, where = WORK / "slow.img", WORK / "slow"
    where.mkdir()
    with open(image, "wb") as out:
        out.truncate(1 << 20)
    made = shutil.which("mkfs.ext2") and os.geteuid() == 0 and all(
        subprocess.run(command, capture_output=True).returncode == 0
        for command in (["mkfs.ext2", "-q", "-I", "128", str(image)],
                        ["mount", "-o", "loop", str(image), str(where)]))
    if not made:
        raise tap.Skip("no file system can be mounted here")
    try:
        p = Place("slow/place")
        settle()
        p.check(0)
        assert not p.entries()
    finally:
        subprocess.run(["umount", str(where)], check=True)


@test
def eight_processes_while_headers_change():
    p = Place("eight")
    rnd = random.Random(SEED)
    for n in range(6):
        value = n % 2
        runs = [subprocess.Popen(
            [HEDDLE, "check", "a.c"], cwd=p.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, **p.env})
            for _ in range(8)]
        while any(r.poll() is None for r in runs):
            p.value(rnd.randrange(2))
            time.sleep(rnd.random() / 50)
        assert all(r.returncode in (0, 1) for r in runs), \
            [r.returncode for r in runs]
        p.value(value)
        p.check(value)
    settle()
    before = p.runs()
    p.check(1)
    p.check(1)
    assert p.runs() <= before + 1


@test
def killed_at_any_time():
    p = Place("killed")
    settle()
    rnd = random.Random(SEED)
    for n in range(16):
        p.value(n % 2)
        settle()
        run = subprocess.Popen(
            [HEDDLE, "check", "a.c"], cwd=p.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, **p.env})
        time.sleep(rnd.random() * 0.15)
        run.kill()
        run.wait()
        p.check(n % 2)


# -- compilers that nobody can watch

@test
def a_script_that_reads_its_environment():
    p = Place("script")
    script = p.folder / "clang"
    script.write_text(f'#!/bin/sh\nexec {CLANG} $EXTRA "$@"\n')
    script.chmod(0o755)
    (p.folder / "s.c").write_text(PROGRAM.replace('#include "value.h"\n', ""))
    settle()
    env = {"HEDDLE_CLANG": str(script)}
    for n in (0, 1, 0):
        p.check(n, file="s.c", EXTRA=f"-DVALUE={n}", **env)
    about = heddle("--version", code=0, **{**p.env, **env}).stdout
    assert "cache    none (" in about and "is a script" in about, about


@test
def a_program_that_starts_another():
    """It is watched; one that hides what it starts is not kept."""
    known("starts-another")
    p = Place("hides")
    source = p.folder / "hides.c"
    source.write_text('#include <unistd.h>\n#include <stdlib.h>\n'
                      'int main(int n, char **v) { unsetenv("LD_PRELOAD");\n'
                      f'return n && execvp("{CLANG}", v); }}\n')
    subprocess.run(["cc", "-o", str(p.folder / "hides"), str(source)],
                   check=True)
    settle()
    p.check(0, HEDDLE_CLANG=str(p.folder / "hides"))
    assert not p.entries()


@test
def a_program_that_looks_at_the_environment():
    """No function that is watched tells who reads `environ`."""
    p = Place("environ")
    source = p.folder / "clang.c"
    source.write_text("""
#include <string.h>
#include <unistd.h>
extern char **environ;
int main(int n, char **args) {
  char *all[n + 2];
  int k = 0;
  all[k++] = args[0];
  for (char **v = environ; *v; v++)
    if (strncmp(*v, "EXTRA=", 6) == 0) all[k++] = *v + 6;
  for (int i = 1; i <= n; i++) all[k++] = args[i];
  return execv(CLANG, all);
}
""")
    subprocess.run(["cc", f'-DCLANG="{shutil.which(CLANG)}"', "-o",
                    str(p.folder / "clang"), str(source)], check=True)
    (p.folder / "s.c").write_text(PROGRAM.replace('#include "value.h"\n', ""))
    settle()
    env = {"HEDDLE_CLANG": str(p.folder / "clang")}
    for n in (0, 1, 0):
        p.check(n, file="s.c", EXTRA=f"-DVALUE={n}", **env)
    assert p.entries()
    # clang itself is known by the names that it asks for.
    p.value(1)
    (p.folder / "t.c").write_text(PROGRAM.replace('"value.h"', "<value.h>"))
    (p.folder / "zero").mkdir()
    (p.folder / "zero" / "value.h").write_text("#define VALUE 0\n")
    settle()
    env = {"HEDDLE_CLANG": CLANG}
    for where in ("zero", ".", "zero"):
        p.check(int(where == "."), file="t.c", CPATH=where, **env)


# -- entries that are not what they seem

@test
def swapped_entries():
    for kind in ("bc", "prog"):
        p = known("swapped-" + kind)
        first, = p.entries(kind)
        (p.folder / "b.c").write_text(
            PROGRAM.replace("VALUE == 0", "VALUE == 1"))
        settle()
        p.check(1, file="b.c")
        other, = set(p.entries(kind)) - {first}
        third = p.cache / "third"
        first.rename(third)
        other.rename(first)
        third.rename(other)
        p.check(0)
        p.check(1, file="b.c")


def is_not_used(p, code=0):
    """The entry is not believed, and the answer is right all the same."""
    before = p.runs()
    p.check(code)
    assert p.runs() == before + 1, "the entry was used"


@test
def entries_of_others():
    p = known("others")
    p.entries()[0].chmod(0o666)
    is_not_used(p)
    if os.geteuid() == 0:
        p.check(0)
        os.chown(p.entries()[0], 65534, 65534)
        is_not_used(p)


@test
def fifos_links_and_folders_as_entries():
    p = known("kinds")
    entry, = p.entries()
    away = p.folder / "away.bc"
    entry.rename(away)
    entry.symlink_to(away)
    is_not_used(p)
    for make in (os.mkfifo, os.mkdir):
        entry.unlink()
        make(entry)
        is_not_used(p)


@test
def sparse_and_cut_entries():
    p = known("sizes")
    entry, = p.entries()
    for size in (100 << 30, 10, 0):
        os.truncate(entry, size)
        is_not_used(p)
        p.check(0)


@test
def damaged_entries():
    p = known("damaged")
    entry, = p.entries()
    good = entry.read_bytes()
    rnd = random.Random(SEED)
    for _ in range(12):
        bad = bytearray(good)
        for _ in range(rnd.randrange(1, 4)):
            bad[rnd.randrange(len(bad))] ^= 1 << rnd.randrange(8)
        if bytes(bad) == good:
            continue
        entry.write_bytes(bad)
        is_not_used(p)


# -- programs that were made of the bitcode

@test
def programs_follow_from_all_that_they_depend_on():
    """The same bitcode with other options is another program."""
    p = Place("options")
    (p.folder / "o.c").write_text("""
#include <assert.h>
#include <stdio.h>
int main(int n, char **args) {
  int got = getchar();
  assert(n == 1 && got == 'a');
  return 0;
}
""")
    settle()
    for text in "aba":
        (p.folder / "in").write_text(text)
        p.check(int(text == "b"), "--stdin", "in", file="o.c")
    p.check(1, "--stdin", "in", "--args", "more", file="o.c")
    p.check(0, "--stdin", "in", file="o.c")


@test
def damaged_programs():
    p = known("damaged-programs")
    entry, = p.entries("prog")
    good = entry.read_bytes()
    rnd = random.Random(SEED)
    for _ in range(12):
        bad = bytearray(good)
        for _ in range(rnd.randrange(1, 4)):
            bad[rnd.randrange(len(bad))] ^= 1 << rnd.randrange(8)
        entry.write_bytes(bad)
        p.check(0)
        entry.write_bytes(good[:rnd.randrange(len(good))])
        p.check(0)


# -- folders that cannot hold them

@test
def a_full_folder():
    p = Place("full")
    settle()
    p.check(0, SHIM="full", LD_PRELOAD=shim(),
            ASAN_OPTIONS="verify_asan_link_order=0")
    assert not list(p.cache.iterdir())


@test
def no_folder_at_all():
    p = Place("none")
    (p.folder / "file").write_text("")
    (p.folder / "closed").mkdir(0o555)
    settle()
    for where in ("file", "file/below", "closed/below", "/proc/none"):
        p.check(0, HEDDLE_CACHE=where)
    p.value(1)
    for where in ("file", "file/below", "closed/below", "/proc/none"):
        p.check(1, HEDDLE_CACHE=where)


@test
def folders_are_ours_alone():
    p = known("mode")
    assert stat.S_IMODE(p.cache.stat().st_mode) == 0o700
    assert stat.S_IMODE(p.entries()[0].stat().st_mode) == 0o600


# -- where Heddle is

@test
def installed_below_a_blank_and_a_colon():
    data = WORK / "with a blank:and $LIB"
    (data / "include").mkdir(parents=True)
    (data / "include" / "heddle").symlink_to(
        Path(__file__).resolve().parents[2] / "include" / "heddle")
    shutil.copy(BUILD / "rt" / "rt.a", data)
    shutil.copy(BUILD / "src" / "front" / "watch.so", data)
    p = Place("installed")
    settle()
    for _ in range(2):
        p.check(0, HEDDLE_DATA=str(data))
    assert p.runs() == 1, p.runs()
    p.value(1)
    p.check(1, HEDDLE_DATA=str(data))


@test
def a_compiler_that_cannot_start():
    p = Place("broken")
    (p.folder / "l.c").write_text("int f(void) { return 0; }\n")
    (p.folder / "m.c").write_text("int f(void); int main(void) "
                                  "{ return f(); }\n")
    for args in (["-shared", "-fPIC", "-o", "libgone.so", "l.c"],
                 ["-o", "broken", "m.c", "./libgone.so"]):
        subprocess.run(["cc", *args], check=True, cwd=p.folder)
    (p.folder / "libgone.so").unlink()
    result = p.check(2, HEDDLE_CLANG=str(p.folder / "broken"))
    says(result, "broken cannot start", "libgone.so")
    assert "accept" not in result.stderr, result.stderr


tap.main()
